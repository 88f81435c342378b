import { useQuery } from '@tanstack/react-query';
import { ArrowDownToLine, Download, ScrollText, WrapText } from '@/ui/icons';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { isNotOffered } from '@/api/client';
import { engine } from '@/api/engine';
import { live } from '@/api/live';
import type { WorkloadDetails } from '@/api/queries';
import { saveFile } from '@/lib/browser';
import { bytes } from '@/lib/quantity';
import { useStore } from '@/lib/store';
import { Everywhere } from '@/pages/workload/log-found';
import { Lines } from '@/pages/workload/log-lines';
import { downloadLog } from '@/pages/workload/log-search';
import { LogSource, type LogChoice, type LogState } from '@/pages/workload/log-source';
import { Button } from '@/ui/button';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { toastError } from '@/ui/toast';

export function Logs({ workload }: { workload: WorkloadDetails }) {
  const attempts = useQuery(engine.attempts(workload.id));
  const [attempt, setAttempt] = useState<number | null>(null);
  const [rank, setRank] = useState(0);
  const [round, setRound] = useState(0);
  const latest = attempts.data?.[0]?.number ?? null;
  const choice = useMemo<LogChoice>(() => ({ workload: workload.id, attempt: attempt ?? latest, rank }), [workload.id, attempt, latest, rank]);
  const ranks = workload.requestedPods?.number ?? 1;
  const pickers = (
    <>
      {(attempts.data?.length ?? 0) > 1 ? (
        <select className="select auto" aria-label="Attempt" value={attempt ?? latest ?? ''} onChange={(e) => setAttempt(Number(e.target.value))}>
          {attempts.data?.map((a) => (
            <option key={a.number} value={a.number}>
              Attempt {a.number}
            </option>
          ))}
        </select>
      ) : null}
      {ranks > 1 ? (
        <select className="select auto" aria-label="Rank" value={rank} onChange={(e) => setRank(Number(e.target.value))}>
          {Array.from({ length: ranks }, (_, i) => (
            <option key={i} value={i}>
              Rank {i}
            </option>
          ))}
        </select>
      ) : null}
    </>
  );
  if (attempts.isPending) return <Skeleton />;
  if (attempts.isSuccess && attempts.data.length === 0) {
    return (
      <Card>
        <Empty small title="No log yet" icon={<ScrollText size={20} />}>
          What it prints appears here as soon as it starts.
        </Empty>
      </Card>
    );
  }
  return <LogView key={JSON.stringify([choice, round])} choice={choice} name={workload.name} pickers={pickers} again={() => setRound(round + 1)} />;
}

/** Reads again what broke off, once the server is there again. */
function useReturn(broken: boolean, again: () => void): void {
  const { connection } = useStore(live);
  const before = useRef(connection);
  useEffect(() => {
    const returned = before.current === 'lost' && connection === 'live';
    before.current = connection;
    if (returned && broken) again();
  }, [connection, broken, again]);
}

function LogView({ choice, name, pickers, again }: { choice: LogChoice; name: string; pickers: React.ReactNode; again: () => void }) {
  const source = useMemo(() => new LogSource(choice), [choice]);
  useEffect(() => {
    const own = source;
    own.start();
    return () => own.stop();
  }, [source]);
  const state = useStore(source.state);
  const [text, setText] = useState('');
  const [follow, setFollow] = useState(true);
  const [wrap, setWrap] = useState(false);
  const wanted = useDeferredValue(text);
  const lines = useMemo(() => filterLines(state, wanted), [state, wanted]);
  const save = () => downloadLog(choice).then((blob) => saveFile(`${name}.log`, blob)).catch(toastError);
  useReturn(state.status === 'failed', again);
  if (state.status === 'failed' && state.lines.length === 0) {
    return (
      <Card>
        <Failed small error={state.error} what={isNotOffered(state.error) ? 'logs' : 'the log'} retry={again} />
      </Card>
    );
  }
  const none = wanted ? undefined : state.status === 'ended' ? 'It printed nothing.' : 'It has printed nothing yet.';
  const shown = <Lines none={none} lines={lines} follow={follow} onScrollAway={() => setFollow(false)} wrap={wrap} offset={wanted ? null : state.dropped} />;
  return (
    <Card
      flush
      title={<LogTitle state={state} found={wanted ? lines.length : null} />}
      actions={
        <>
          {state.status === 'failed' ? <Button onClick={again}>Read on</Button> : pickers}
          <input className="input auto" type="search" placeholder="Search, or /regex/" aria-label="Search the log" value={text} onChange={(e) => setText(e.target.value)} />
          <Button aria-pressed={wrap} className={wrap ? 'on' : ''} icon={<WrapText size={15} />} onClick={() => setWrap(!wrap)} aria-label="Wrap long lines" />
          <Button aria-pressed={follow} className={follow ? 'on' : ''} icon={<ArrowDownToLine size={15} />} onClick={() => setFollow(!follow)}>
            Follow
          </Button>
          <Button icon={<Download size={15} />} onClick={() => void save()} aria-label="Download the log" />
        </>
      }
    >
      {wanted && state.skipped + state.dropped > 0 ? <Everywhere key={wanted} choice={choice} wanted={wanted} wrap={wrap} shown={state.lines.length}>{shown}</Everywhere> : shown}
    </Card>
  );
}

function LogTitle({ state, found }: { state: LogState; found: number | null }) {
  const word = { loading: 'Loading…', following: 'Live', ended: 'Complete', failed: 'Broken off' }[state.status];
  const count = `${(state.lines.length + state.dropped).toLocaleString('en')} lines`;
  const skipped = state.skipped > 0 ? `, after the first ${bytes(state.skipped)}` : '';
  return (
    <span className="row small" role="status">
      <span className={`dot ${state.status === 'following' ? 'ok' : 'still'}`} aria-hidden /> {word}
      <span className="muted">{found === null ? count + skipped : `${found.toLocaleString('en')} found`}</span>
    </span>
  );
}

function filterLines(state: LogState, wanted: string): string[] {
  const all = state.open ? [...state.lines, state.open] : state.lines;
  if (!wanted) return all;
  const pattern = /^\/(.+)\/$/.exec(wanted)?.[1];
  if (pattern) {
    try {
      const regex = new RegExp(pattern, 'i');
      return all.filter((line) => regex.test(line));
    } catch {
      return all;
    }
  }
  const part = wanted.toLowerCase();
  return all.filter((line) => line.toLowerCase().includes(part));
}
