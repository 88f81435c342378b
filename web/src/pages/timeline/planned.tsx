import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { engine, type QueueLine } from '@/api/engine';
import { gpuCount, plural } from '@/lib/quantity';
import { absolute, parseTime, startRange } from '@/lib/time';
import { place, ticksOf, type Window } from '@/pages/timeline/layout';
import { Chart, Track } from '@/pages/timeline/rows';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';

const SHOWN = 30;

/** What waits, with the span in which each is expected to start. */
export function Planned({ window }: { window: Window }) {
  const queue = useQuery(engine.queue);
  const lines = queue.data ?? [];
  const known = lines.filter((line) => line.earliest);
  const unknown = lines.length - known.length;
  return (
    <Card title="Planned starts" actions={unknown > 0 && known.length > 0 ? <span className="small muted">{plural(unknown, 'more waits', 'more wait')} without a forecast</span> : null}>
      {queue.isPending ? (
        <Skeleton />
      ) : queue.isError ? (
        <Failed small error={queue.error} what="the queue" />
      ) : known.length === 0 ? (
        <Empty small title={lines.length === 0 ? 'Nothing waits' : 'No start can be forecast'}>
          {lines.length === 0 ? 'Work that has to wait is shown here with the time it is expected to start.' : `${plural(unknown, 'workload waits', 'workloads wait')}. What runs now has no time limit, so nobody knows when it ends.`}
        </Empty>
      ) : (
        <Chart window={window} ticks={ticksOf(window)} label="Planned starts">
          {known.slice(0, SHOWN).map((line) => (
            <Start key={line.workloadId} line={line} window={window} />
          ))}
        </Chart>
      )}
    </Card>
  );
}

function Start({ line, window }: { line: QueueLine; window: Window }) {
  const earliest = parseTime(line.earliest) ?? window.now;
  const latest = parseTime(line.latest);
  const left = place(earliest, window);
  const right = latest === null ? 100 : place(latest, window);
  const words = `starts ${startRange(earliest, latest, window.now) ?? ''}, at the earliest ${absolute(earliest)}`;
  return (
    <li className="gantt-row first">
      <span className="gantt-name clip">
        <Link className="strong" to={`/workloads/${line.workloadId}`}>
          {line.name}
        </Link>{' '}
        <span className="muted tiny">{gpuCount(line.gpu)}</span>
      </span>
      <Track window={window} lanes={1}>
        <span className="gantt-bar plan" role="img" title={words} aria-label={words} style={{ left: `${left}%`, width: `${Math.max(1, right - left)}%`, top: '3px' }} />
      </Track>
    </li>
  );
}
