import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { findSections, type Hit, type Part } from '@/pages/docs/find';
import { Search } from '@/ui/icons';

/** Searches every section of every chapter; what it reads is loaded with the first key. */
export function DocsSearch() {
  const [text, setText] = useState('');
  const [parts, setParts] = useState<Part[] | null>(null);
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const find = event.key === '/' || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k');
      if (!find || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const load = () => {
    if (!parts) void import('virtual:docs/sections').then((loaded) => setParts(loaded.default));
  };
  const hits = text.trim() && parts ? findSections(parts, text) : [];
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    setText('');
    input.current?.blur();
    navigate(`/docs/${hit.slug}#${hit.id}`);
  };
  const onKey = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') setText('');
    else if (event.key === 'Enter') go(hits[at]);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt((now) => (now + (event.key === 'ArrowDown' ? 1 : hits.length - 1)) % Math.max(1, hits.length));
    }
  };
  return (
    <div className="search docs-search">
      <Search size={15} aria-hidden />
      <input
        ref={input}
        className="input"
        type="search"
        role="combobox"
        aria-label="Search the documentation"
        aria-expanded={hits.length > 0}
        aria-controls="docs-hits"
        aria-activedescendant={hits[at] ? `docs-hit-${at}` : undefined}
        placeholder="Search the documentation"
        value={text}
        onFocus={load}
        onChange={(e) => {
          setText(e.target.value);
          setAt(0);
          load();
        }}
        onKeyDown={onKey}
      />
      <ul id="docs-hits" className="docs-hits" role="listbox" aria-label="Results" hidden={hits.length === 0}>
        {hits.map((hit, index) => (
          <li key={`${hit.slug}#${hit.id}`} id={`docs-hit-${index}`} role="option" aria-selected={index === at} className="docs-hit" onMouseMove={() => setAt(index)} onMouseDown={() => go(hit)}>
            <span className="strong">{hit.heading}</span> <span className="muted tiny">{hit.title}</span>
            <span className="small soft docs-excerpt">{hit.excerpt}</span>
          </li>
        ))}
      </ul>
      {text.trim() && parts && hits.length === 0 ? <p className="docs-hits docs-none small muted" role="status">No section has “{text}”.</p> : null}
    </div>
  );
}
