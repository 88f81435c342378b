import { CornerDownLeft, Search } from '@/ui/icons';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ActionDialog, type ActionName } from '@/pages/workload/actions';
import type { Workload } from '@/api/queries';
import { useActionHits, usePlaceHits, type Hit } from '@/shell/palette-actions';
import { useThingHits } from '@/shell/palette-things';

/** Ctrl-K: go anywhere, find anything, do what is done often. */
export function Palette({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const searched = useDeferredValue(text.trim());
  const [asking, setAsking] = useState<{ action: ActionName; workload: Workload } | null>(null);
  const places = usePlaceHits(searched);
  const actions = useActionHits(searched);
  const { things, searching } = useThingHits(searched);
  // A page whose name is being typed is meant before anything that merely contains the word.
  const begun = (hit: Hit) => searched !== '' && hit.label.toLowerCase().startsWith(searched.toLowerCase());
  const hits = [...actions.first, ...places.filter(begun), ...things, ...places.filter((hit) => !begun(hit)), ...actions.last].slice(0, 30);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  useEffect(() => setAt(0), [searched]);
  useEffect(() => {
    // Newer browsers answer with a promise, which is not for React to call as a cleanup.
    void ref.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    if (hit.ask) return setAsking(hit.ask);
    onClose();
    hit.run?.();
    if (hit.to) navigate(hit.to);
  };
  // Enter means what is typed, also where the list still shows hits for less of it.
  const current = searched === text.trim();
  const [entered, setEntered] = useState(false);
  const chosen = hits[Math.min(at, hits.length - 1)];
  useEffect(() => {
    if (!entered || !current || (hits.length === 0 && searching)) return;
    setEntered(false);
    go(chosen);
  });
  if (asking) return <ActionDialog {...asking} onClose={onClose} />;
  const onKey = (event: React.KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt((at + (event.key === 'ArrowDown' ? 1 : hits.length - 1)) % Math.max(1, hits.length));
    } else if (event.key === 'Enter') setEntered(true);
  };
  return (
    <dialog ref={ref} className="dialog palette" aria-label="Search everything" onCancel={onClose} onKeyDown={onKey} onClick={(e) => e.target === ref.current && onClose()}>
      <div className="palette-head">
        <Search size={17} aria-hidden />
        <input
          autoFocus
          value={text}
          onChange={(e) => setText(e.target.value)}
          placeholder="Find anything, or type stop, open, drain, theme…"
          role="combobox"
          aria-label="Search everything"
          aria-expanded="true"
          aria-controls="palette-hits"
          aria-activedescendant={hits[at] ? `hit-${at}` : undefined}
        />
        <kbd className="kbd">Esc</kbd>
      </div>
      <ul className="palette-hits" id="palette-hits" role="listbox" aria-label="Results">
        {hits.map((hit, index) => (
          <li key={hit.key} id={`hit-${index}`} role="option" aria-selected={index === at} className="palette-hit" onMouseMove={() => setAt(index)} onClick={() => go(hit)}>
            {hit.icon}
            <span className="clip">{hit.label}</span>
            <span className="muted tiny clip">{hit.note}</span>
            {index === at ? <CornerDownLeft size={14} aria-hidden /> : null}
          </li>
        ))}
      </ul>
      {hits.length === 0 ? <p className="palette-none muted small">{searching ? 'Searching…' : `No match for “${text}”.`}</p> : null}
    </dialog>
  );
}
