// Running and waiting work by whose nth GPU it is: one bar per person, a line where an even share ends.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { engine, type RunningLine } from '@/api/engine';
import { queries } from '@/api/queries';
import { gpuCount, gpus, plural } from '@/lib/quantity';
import { cutOf, othersOf, peopleOf, type PersonBar } from '@/pages/queue/people';
import { useProject } from '@/shell/project';
import { ListOrdered } from '@/ui/icons';
import { PersonLink } from '@/ui/links';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Elapsed } from '@/ui/time';

export function Running() {
  const running = useQuery({ ...engine.running, retry: false });
  const queue = useQuery({ ...engine.queue, retry: false });
  const counts = useQuery(engine.gpuCounts);
  const projects = useQuery(queries.projects);
  const [project] = useProject();
  const name = projects.data?.find((p) => p.id === project)?.name;
  const mine = <T extends { projectName: string }>(lines: T[] | undefined) => (lines ?? []).filter((l) => !name || l.projectName === name);
  const lines = mine(running.data);
  const bars = peopleOf(lines, mine(queue.data));
  const total = (counts.data ?? []).reduce((sum, model) => sum + model.total - model.outOfService, 0);
  const held = bars.reduce((sum, bar) => sum + bar.held, 0);
  // GPUs that work outside the view holds are not to be shared among those in view.
  const inUse = (counts.data ?? []).reduce((sum, model) => sum + model.inUse + model.partlyFree, 0);
  const others = othersOf(inUse, lines);
  const capacity = Math.max(held, total - others);
  if (running.isPending || queue.isPending || counts.isPending) {
    return (
      <Card>
        <Skeleton lines={6} />
      </Card>
    );
  }
  if (running.isError) {
    return (
      <Card>
        <Failed error={running.error} what="the order of running work" retry={() => void running.refetch()} />
      </Card>
    );
  }
  if (queue.isError) {
    return (
      <Card>
        <Failed error={queue.error} what="waiting work" retry={() => void queue.refetch()} />
      </Card>
    );
  }
  if (bars.length === 0) {
    return (
      <Card>
        <Empty title="Nobody uses a GPU" icon={<ListOrdered size={20} />}>
          Running work is drawn here as one bar per person.
        </Empty>
      </Card>
    );
  }
  return (
    <>
      <Picture bars={bars} capacity={capacity} others={others} />
      <Card flush title={`Running (${lines.length})`}>
        <Table label="Running work by nth GPU" columns={COLUMNS} rows={lines} rowId={(l) => l.workloadId} />
      </Card>
    </>
  );
}

function Picture({ bars, capacity, others }: { bars: PersonBar[]; capacity: number; others: number }) {
  const me = useQuery(queries.me).data?.username;
  const most = Math.max(1, ...bars.map((bar) => bar.held + bar.wanted));
  const cut = cutOf(bars, capacity);
  const held = bars.reduce((sum, bar) => sum + bar.held, 0);
  return (
    <Card
      title={`${gpuCount(held)} in use by ${plural(bars.filter((bar) => bar.held > 0).length, 'person', 'people')} in your view`}
      actions={
        <span className="gantt-key small soft">
          <span className="row">
            <span className="nth-sample runs" aria-hidden /> Running
          </span>
          <span className="row">
            <span className="nth-sample waits" aria-hidden /> Waiting
          </span>
        </span>
      }
    >
      <p className="small soft">
        {cut === null
          ? 'There are GPUs for all work in view: nobody has to wait for another person.'
          : `With ${gpuCount(capacity)} for the people in view, an even share ends at the line: ${gpus(Math.round(cut * 10) / 10)} each. Under the rule nth-gpu, work left of it starts first, and preemptible work right of it is the first to give way.`}
        {others > 0 ? ` ${plural(others, 'GPU is', 'GPUs are')} in use by work that you do not see here.` : ''}
      </p>
      <ol className="nth" aria-label="GPUs by person">
        {bars.map((bar) => (
          <li key={bar.userName} className={`nth-row ${bar.userName === me ? 'mine' : ''}`}>
            <span className="nth-name clip small">
              <PersonLink name={bar.userName} />
              {bar.userName === me ? <span className="badge accent">you</span> : null}
            </span>
            <span className="nth-track">
              {bar.cells.map((cell) => (
                <Link
                  key={cell.workloadId}
                  className={`nth-cell ${cell.state}`}
                  to={`/workloads/${cell.workloadId}`}
                  style={{ width: `${(100 * cell.amount) / most}%` }}
                  title={`${cell.projectName}/${cell.name}, ${gpuCount(cell.amount)}, ${cell.state === 'runs' ? 'running' : 'waiting'}`}
                  aria-label={`${cell.name}, ${gpuCount(cell.amount)}, ${cell.state === 'runs' ? 'running' : 'waiting'}`}
                >
                  <span className="clip">{cell.name}</span>
                </Link>
              ))}
              {cut === null ? null : <span className="nth-cut" aria-hidden style={{ left: `${Math.min(100, (100 * cut) / most)}%` }} />}
            </span>
            <span className="nth-sum num small">
              {gpus(bar.held)}
              {bar.wanted > 0 ? <span className="muted"> +{gpus(bar.wanted)}</span> : null}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const ENDINGS: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const nth = (n: number) => `${n}${ENDINGS[ordinals.select(n)] ?? 'th'}`;

/** "2nd to 5th GPU of ann". */
function rank(line: RunningLine): string {
  if (line.held <= 0) return 'no GPU';
  const last = Math.ceil(line.userOrdinal);
  const first = Math.min(last, Math.floor(line.userOrdinal - line.held) + 1);
  return first >= last ? `${nth(last)} GPU` : `${nth(first)} to ${nth(last)} GPU`;
}

const COLUMNS: Column<RunningLine>[] = [
  {
    id: 'name',
    header: 'Workload',
    cell: (l) => (
      <Link className="strong" to={`/workloads/${l.workloadId}`}>
        {l.name}
      </Link>
    ),
  },
  { id: 'project', header: 'Project', cell: (l) => l.projectName },
  { id: 'by', header: 'By', cell: (l) => <PersonLink name={l.userName} /> },
  { id: 'for', header: 'Runs for', cell: (l) => <Elapsed from={l.startedAt} /> },
  { id: 'gpus', header: 'GPUs', right: true, cell: (l) => gpus(l.held) },
  { id: 'rank', header: "The person's", cell: (l) => <span className="num">{rank(l)}</span> },
];
