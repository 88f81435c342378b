import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { bytes, plural } from '@/lib/quantity';
import { useStore } from '@/lib/store';
import { patternOf, type Shown } from '@/pages/workload/log-filter';
import { Lines } from '@/pages/workload/log-lines';
import { finderOf, MOST_FOUND, WholeSearch, type SearchState } from '@/pages/workload/log-search';
import type { LogChoice } from '@/pages/workload/log-source';
import { Button } from '@/ui/button';
import { Failed } from '@/ui/state';

interface EverywhereProps {
  choice: LogChoice;
  wanted: string;
  wrap: boolean;
  shown: number;
  children: ReactNode;
}

/** Offers to look through what is not on the page too. */
export function Everywhere({ choice, wanted, wrap, shown, children }: EverywhereProps) {
  const [search, setSearch] = useState<WholeSearch | null>(null);
  useEffect(() => () => search?.stop(), [search]);
  const begin = () => {
    const find = finderOf(wanted);
    if (!find) return;
    const next = new WholeSearch(choice, find);
    next.start();
    setSearch(next);
  };
  if (search) return <Found search={search} wanted={wanted} wrap={wrap} />;
  return (
    <>
      <p className="log-note small">
        <span className="grow">Only the last {plural(shown, 'line')} on this page were searched.</span>
        <Button small onClick={begin}>
          Search the whole log
        </Button>
      </p>
      {children}
    </>
  );
}

const FOUND_WORDS: Record<SearchState['status'], string> = {
  searching: 'searching…',
  done: 'that is all of it',
  full: `the first ${MOST_FOUND.toLocaleString('en')}; make the search narrower to see others`,
  failed: '',
};

function Found({ search, wanted, wrap }: { search: WholeSearch; wanted: string; wrap: boolean }) {
  const state = useStore(search.state);
  const pattern = useMemo(() => patternOf(wanted), [wanted]);
  const shown = useMemo(() => state.lines.map((text, at): Shown => ({ at, text, kind: 'hit' })), [state.lines]);
  return (
    <>
      <p className="log-note small" role="status">
        <span className="grow">
          {plural(state.lines.length, 'line')} found, {bytes(state.read)} read, {FOUND_WORDS[state.status]}
          {state.lost > 0 ? `; ${bytes(state.lost)} in the middle were not kept by the server` : ''}
        </span>
      </p>
      {state.status === 'failed' ? <Failed small error={state.error} what="the log" /> : <Lines lines={shown} pattern={pattern} follow={false} wrap={wrap} offset={null} onScrollAway={() => undefined} />}
    </>
  );
}
