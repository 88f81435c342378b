// Ready views of the list, and those a person has saved: each is nothing but an address.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { queries } from '@/api/queries';
import { keep, kept } from '@/lib/store';
import { Button, IconButton } from '@/ui/button';
import { Plus, X } from '@/ui/icons';

export interface View {
  name: string;
  /** The list's part of the address. */
  query: string;
}

const ACTIVE = 'Creating|Pending|Initializing|Running|Resuming|Degraded|Updating|Stopping';
const ENDED = 'Stopped|Completed|Failed';
const KEY = 'gpuyard.views';
const OWN = /^(q|where|sort|size|is\..*)$/;

/** The list's own parameters, in one order, so that two addresses of one view are equal. */
export function viewOf(params: URLSearchParams): string {
  const own = new URLSearchParams([...params].filter(([key]) => OWN.test(key)));
  own.sort();
  return own.toString();
}

const readyViews = (me: string): View[] => {
  const make = (name: string, parts: [string, string][]) => ({ name, query: viewOf(new URLSearchParams(parts)) });
  const mine: [string, string] = ['where', `submittedBy==${me}`];
  return [make('All', []), make('Active', [['is.phase', ACTIVE]]), make('Mine', [mine]), make('Mine, active', [['is.phase', ACTIVE], mine]), make('Ended', [['is.phase', ENDED]]), make('Failed', [['is.phase', 'Failed']])];
};

export function Views() {
  const me = useQuery(queries.me).data?.username ?? '';
  const [params, setParams] = useSearchParams();
  const [saved, setSaved] = useState<View[]>(() => kept(KEY, []));
  const [naming, setNaming] = useState<string | null>(null);
  const now = viewOf(params);
  const ready = readyViews(me);
  const store = (next: View[]) => {
    keep(KEY, next);
    setSaved(next);
  };
  const go = (view: View) => {
    const next = new URLSearchParams(view.query);
    for (const [key, value] of params) if (!OWN.test(key) && key !== 'page') next.append(key, value);
    setParams(next);
  };
  const save = () => {
    const name = (naming ?? '').trim();
    if (name) store([...saved.filter((view) => view.name !== name), { name, query: now }]);
    setNaming(null);
  };
  const known = [...ready, ...saved].some((view) => view.query === now);
  return (
    <div className="row wrap views" role="group" aria-label="Views">
      {ready.map((view) => (
        <button key={view.name} type="button" className="view" aria-pressed={view.query === now} onClick={() => go(view)}>
          {view.name}
        </button>
      ))}
      {saved.map((view) => (
        <span key={view.name} className="row saved-view">
          <button type="button" className="view" aria-pressed={view.query === now} onClick={() => go(view)}>
            {view.name}
          </button>
          <IconButton small label={`Forget the view ${view.name}`} icon={<X size={12} />} onClick={() => store(saved.filter((other) => other !== view))} />
        </span>
      ))}
      {naming !== null ? (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <input autoFocus className="input sm" aria-label="Name of the view" placeholder="Name of the view" value={naming} onChange={(e) => setNaming(e.target.value)} onKeyDown={(e) => e.key === 'Escape' && setNaming(null)} />
          <Button small type="submit" tone="primary">
            Save
          </Button>
        </form>
      ) : known ? null : (
        <Button small tone="quiet" icon={<Plus size={13} aria-hidden />} onClick={() => setNaming('')}>
          Save this view
        </Button>
      )}
    </div>
  );
}
