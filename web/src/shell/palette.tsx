import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Boxes, CalendarRange, CornerDownLeft, FolderKanban, Plus, Search, Server, Users } from '@/ui/icons';
import { useDeferredValue, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { queries, useAllowed } from '@/api/queries';
import { reservations } from '@/api/reservations';
import { usePlaces } from '@/shell/sidebar';

interface Hit {
  key: string;
  label: string;
  note: string;
  icon: ReactNode;
  to: string;
}

const has = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

function usePlaceHits(text: string): Hit[] {
  const groups = usePlaces();
  const fixed: Hit[] = [{ key: 'new', label: 'New workload', note: 'Action', icon: <Plus size={16} />, to: '/workloads/new' }];
  const places = groups.flatMap((group) =>
    group.places.map(({ path, label, icon: Icon, words }) => ({
      key: path,
      label,
      note: group.label,
      icon: <Icon size={16} />,
      to: path,
      words: words ?? '',
    })),
  );
  return [...places.filter((p) => has(`${p.label} ${p.words}`, text)), ...fixed.filter((f) => has(f.label, text))];
}

function useThingHits(text: string): { things: Hit[]; searching: boolean } {
  const allowed = useAllowed();
  const on = text.length > 0;
  const projects = useQuery(queries.projects);
  // What was found before stays while more is typed, as far as it still fits.
  const kept = { placeholderData: keepPreviousData };
  const workloads = useQuery({ ...queries.workloads({ search: text, limit: 8 }), enabled: on, ...kept });
  const nodes = useQuery({
    queryKey: ['node', 'search', text],
    queryFn: () => api.get<Schemas['NodeList']>('/api/v1/nodes', { search: text, limit: 5 }),
    enabled: on && allowed('nodes'),
    ...kept,
  });
  const users = useQuery({
    queryKey: ['user', 'search', text],
    queryFn: () => api.get<Schemas['User'][]>('/api/v1/users', { search: text, limit: 5 }),
    enabled: on && allowed('users'),
    ...kept,
  });
  const reserved = useQuery({ ...reservations, enabled: on && allowed('project') });
  const searching = on && [workloads, nodes, users, reserved].some((answer) => answer.isFetching);
  const things = useMemo(() => {
    if (!on) return [];
    return [
      ...(workloads.data?.workloads ?? []).filter((w) => has(w.name, text) || !workloads.isPlaceholderData).map((w) => ({ key: w.id, label: w.name, note: `${w.type} · ${w.projectName} · ${w.phase}`, icon: <Boxes size={16} />, to: `/workloads/${w.id}` })),
      ...(projects.data ?? []).filter((p) => has(p.name, text)).slice(0, 5).map((p) => ({ key: `p${p.id}`, label: p.name, note: 'Project', icon: <FolderKanban size={16} />, to: `/projects?q=${encodeURIComponent(p.name)}` })),
      ...(reserved.data ?? []).filter((r) => has(r.name, text)).slice(0, 5).map((r) => ({ key: r.id, label: r.name, note: `Reservation · ${r.projectName}`, icon: <CalendarRange size={16} />, to: `/reservations?reservation=${r.id}` })),
      ...(nodes.data?.nodes ?? []).filter((n) => has(n.name, text) || !nodes.isPlaceholderData).map((n) => ({ key: `n${n.name}`, label: n.name, note: 'Node', icon: <Server size={16} />, to: `/nodes?q=${encodeURIComponent(n.name)}` })),
      ...(users.data ?? []).filter((u) => has(u.username, text) || !users.isPlaceholderData).slice(0, 5).map((u) => ({ key: `u${u.id}`, label: u.username, note: 'User', icon: <Users size={16} />, to: `/users?q=${encodeURIComponent(u.username)}` })),
    ];
  }, [on, text, workloads.data, workloads.isPlaceholderData, projects.data, reserved.data, nodes.data, nodes.isPlaceholderData, users.data, users.isPlaceholderData]);
  return { things, searching };
}

/** Ctrl-K: go anywhere, find anything. */
export function Palette({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const searched = useDeferredValue(text.trim());
  const places = usePlaceHits(searched);
  const { things, searching } = useThingHits(searched);
  const hits = [...things, ...places].slice(0, 24);
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
    onClose();
    navigate(hit.to);
  };
  const onKey = (event: React.KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setAt((at + (event.key === 'ArrowDown' ? 1 : hits.length - 1)) % Math.max(1, hits.length));
    } else if (event.key === 'Enter') go(hits[at]);
  };
  return (
    <dialog ref={ref} className="dialog palette" aria-label="Search everything" onCancel={onClose} onKeyDown={onKey} onClick={(e) => e.target === ref.current && onClose()}>
      <div className="palette-head">
        <Search size={17} aria-hidden />
        <input
          autoFocus
          value={text}
          onChange={(e) => setText(e.target.value)}
          placeholder="Workloads, projects, nodes, people, pages…"
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
      {hits.length === 0 ? <p className="palette-none muted small">{searching ? 'Searching…' : `Nothing is called “${text}”.`}</p> : null}
    </dialog>
  );
}
