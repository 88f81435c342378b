import { useQuery } from '@tanstack/react-query';
import { ArrowDownToLine, Clock, Download, ScrollText, WrapText } from '@/ui/icons';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isNotOffered } from '@/api/client';
import { engine } from '@/api/engine';
import { live } from '@/api/live';
import type { WorkloadDetails } from '@/api/queries';
import { saveFile } from '@/lib/browser';
import { bytes, plural } from '@/lib/quantity';
import { keep, kept, useStore } from '@/lib/store';
import { Everywhere } from '@/pages/workload/log-found';
import { plainText } from '@/pages/workload/log-ansi';
import { Lines } from '@/pages/workload/log-lines';
import { downloadLog } from '@/pages/workload/log-search';
import { patternOf, shownLines } from '@/pages/workload/log-filter';
import { AllRanks, LogSource, type LogChoice, type LogFeed, type LogState } from '@/pages/workload/log-source';
import { Button } from '@/ui/button';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { toastError } from '@/ui/toast';

/** Not one rank but all of them together. */
const ALL = -1;
const MOST_RANKS = 32;

/** The one in the address, else all of them. */
function firstRank(asked: string | null, ranks: number): number {
  const rank = asked === null ? NaN : Number(asked);
  return Number.isInteger(rank) && rank >= 0 && rank < ranks ? rank : ranks > 1 ? ALL : 0;
}

export function Logs({ workload }: { workload: WorkloadDetails }) {
  const attempts = useQuery(engine.attempts(workload.id));
  const [attempt, setAttempt] = useState<number | null>(null);
  const [params] = useSearchParams();
  const ranks = workload.requestedPods?.number ?? 1;
  const [rank, setRank] = useState(() => firstRank(params.get('rank'), ranks));
  const [round, setRound] = useState(0);
  const latest = attempts.data?.[0]?.number ?? null;
  const choice = useMemo<LogChoice>(() => ({ workload: workload.id, attempt: attempt ?? latest, rank }), [workload.id, attempt, latest, rank]);
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
          <option value={ALL}>{ranks > MOST_RANKS ? `First ${MOST_RANKS} ranks` : 'All ranks'}</option>
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
  return <LogView key={JSON.stringify([choice, round])} choice={choice} ranks={Math.min(ranks, MOST_RANKS)} name={workload.name} pickers={pickers} again={() => setRound(round + 1)} />;
}

const TIMES = 'gpuyard.log.times';

/** Whether times stand beside the lines. */
function useTimes(): [boolean, () => void] {
  const [on, setOn] = useState<boolean>(() => kept(TIMES, false));
  const toggle = () => {
    keep(TIMES, !on);
    setOn(!on);
  };
  return [on, toggle];
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

function LogView({ choice, ranks, name, pickers, again }: { choice: LogChoice; ranks: number; name: string; pickers: React.ReactNode; again: () => void }) {
  const together = choice.rank === ALL;
  const source = useMemo<LogFeed>(() => (together ? new AllRanks(choice, ranks) : new LogSource(choice)), [choice, together, ranks]);
  useEffect(() => {
    const own = source;
    own.start();
    return () => own.stop();
  }, [source]);
  const state = useStore(source.state);
  const [text, setText] = useState('');
  const [follow, setFollow] = useState(true);
  const [wrap, setWrap] = useState(false);
  const [times, toggleTimes] = useTimes();
  const wanted = useDeferredValue(text);
  const [around, setAround] = useState(2);
  const pattern = useMemo(() => patternOf(wanted), [wanted]);
  const lines = useMemo(() => shownLines(state.open ? [...state.lines, state.open] : state.lines, pattern, around), [state, pattern, around]);
  const found = wanted ? lines.filter((line) => line.kind === 'hit').length : null;
  const save = () => (together ? Promise.resolve(new Blob([state.lines.map(plainText).join('\n')])) : downloadLog(choice)).then((blob) => saveFile(`${name}.log`, blob)).catch(toastError);
  useReturn(state.status === 'failed', again);
  if (state.status === 'failed' && state.lines.length === 0) {
    return (
      <Card>
        <Failed small error={state.error} what={isNotOffered(state.error) ? 'logs' : 'the log'} retry={again} />
      </Card>
    );
  }
  const none = wanted ? undefined : state.status === 'ended' ? 'It printed nothing.' : 'It has printed nothing yet.';
  const shown = <Lines none={none} lines={lines} came={times ? state.came : null} pattern={pattern} follow={follow} onScrollAway={() => setFollow(false)} wrap={wrap} offset={state.before === null ? null : state.before + state.dropped} />;
  return (
    <Card
      flush
      title={<LogTitle state={state} found={found} />}
      actions={
        <>
          {state.status === 'failed' ? <Button onClick={again}>Read on</Button> : pickers}
          <input className="input auto" type="search" placeholder="Search, or /regex/" aria-label="Search the log" value={text} onChange={(e) => setText(e.target.value)} />
          {wanted ? (
            <select className="select auto" aria-label="Lines around each hit" value={around} onChange={(e) => setAround(Number(e.target.value))}>
              {[0, 2, 10].map((count) => (
                <option key={count} value={count}>
                  {count === 0 ? 'Hits only' : `±${count} lines`}
                </option>
              ))}
            </select>
          ) : null}
          <Button aria-pressed={times} className={times ? 'on' : ''} icon={<Clock size={15} />} onClick={toggleTimes} title="When each line came; known for lines that come while this page is open">
            Times
          </Button>
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
  const count = plural(state.lines.length + state.dropped + (state.before ?? 0), 'line');
  const skipped = state.skipped > 0 ? `${state.before === null ? '' : ' in all'}, shown after the first ${bytes(state.skipped)}` : '';
  return (
    <span className="row small" role="status">
      <span className={`dot ${state.status === 'following' ? 'ok' : 'still'}`} aria-hidden /> {word}
      <span className="muted">{found === null ? count + skipped : `${found.toLocaleString('en')} found`}</span>
    </span>
  );
}
