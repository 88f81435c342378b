import { useQuery } from '@tanstack/react-query';
import { Plus, UserRound } from '@/ui/icons';
import { Link } from 'react-router-dom';
import { engine } from '@/api/engine';
import { queries, type Project, type Workload } from '@/api/queries';
import { gpus, plural } from '@/lib/quantity';
import { parseTime, startRange } from '@/lib/time';
import { isEnded, isRunning, isWaiting } from '@/pages/workloads/kinds';
import { WorkloadName } from '@/pages/workloads/columns';
import { QuotaBar } from '@/ui/quota';
import { Card, Page } from '@/ui/page';
import { Phase } from '@/ui/phase';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Elapsed, Time, useNow } from '@/ui/time';

const RECENT = 100;

export default function MyWork() {
  const me = useQuery(queries.me);
  const mine = useQuery({
    ...queries.workloads({ filterBy: `submittedBy==${me.data?.username ?? ''}`, sortBy: 'createdAt', sortOrder: 'desc', limit: RECENT }),
    enabled: me.isSuccess,
  });
  const all = mine.data?.workloads ?? [];
  return (
    <Page title="My work" sub={me.data?.username}>
      {mine.isPending ? (
        <Card>
          <Skeleton lines={6} />
        </Card>
      ) : mine.isError ? (
        <Card>
          <Failed error={mine.error} what="your work" retry={() => void mine.refetch()} />
        </Card>
      ) : all.length === 0 ? (
        <Card>
          <Start />
        </Card>
      ) : (
        <Lists all={all} />
      )}
      <Quotas />
    </Page>
  );
}

function Start() {
  return (
    <Empty
      title="You have no work here yet"
      icon={<UserRound size={20} />}
      action={
        <span className="row wrap">
          <Link className="button primary" to="/workloads/new?type=Workspace">
            <Plus size={15} aria-hidden /> Open a workspace
          </Link>
          <Link className="button" to="/workloads/new?type=Training">
            Start a training
          </Link>
        </span>
      }
    >
      A workspace is a notebook or a shell on a GPU; a training runs a command to its end.
    </Empty>
  );
}

const BASE: Column<Workload>[] = [
  { id: 'name', header: 'Name', cell: (w) => <WorkloadName workload={w} /> },
  { id: 'phase', header: 'Status', cell: (w) => <Phase phase={w.phase} /> },
  { id: 'project', header: 'Project', cell: (w) => w.projectName },
  { id: 'gpu', header: 'GPUs', right: true, cell: (w) => gpus(w.workloadRequestedResources?.gpu?.request) },
];
const RUNNING: Column<Workload>[] = [
  ...BASE,
  { id: 'idle', header: 'Idle GPUs', right: true, cell: (w) => (w.idleAllocatedGpus ? <span className="badge wait">{gpus(w.idleAllocatedGpus)} idle</span> : '–') },
  { id: 'for', header: 'For', cell: (w) => <Elapsed from={w.phaseUpdatedAt} /> },
];
const WAITING: Column<Workload>[] = [...BASE, { id: 'place', header: 'Place', cell: (w) => <Position id={w.id} /> }, { id: 'why', header: 'Why', cell: (w) => <span className="break">{w.phaseMessage}</span> }];
const ENDED: Column<Workload>[] = [...BASE, { id: 'why', header: 'What happened', cell: (w) => <span className="break">{w.phaseMessage || '–'}</span> }, { id: 'at', header: 'Ended', cell: (w) => <Time at={w.completedAt ?? w.phaseUpdatedAt} /> }];

function Position({ id }: { id: string }) {
  const queue = useQuery({ ...engine.queue, retry: false });
  const now = useNow();
  const line = queue.data?.find((l) => l.workloadId === id);
  if (!line) return <span className="muted">–</span>;
  const range = startRange(parseTime(line.earliest), parseTime(line.latest), now);
  return (
    <span className="num">
      {line.position}
      {range ? `, starts ${range}` : ''}
    </span>
  );
}

function Lists({ all }: { all: Workload[] }) {
  const running = all.filter((w) => isRunning(w.phase));
  const waiting = all.filter((w) => isWaiting(w.phase));
  const failed = all.filter((w) => w.phase === 'Failed').slice(0, 8);
  const ended = all.filter((w) => isEnded(w.phase) && w.phase !== 'Failed').slice(0, 8);
  const idle = running.filter((w) => (w.idleAllocatedGpus ?? 0) > 0).length;
  return (
    <>
      <div className="tiles">
        <Tile label="Running" value={running.length} />
        <Tile label="Waiting" value={waiting.length} />
        <Tile label="Holding idle GPUs" value={running.length > 0 && running.every((w) => w.idleAllocatedGpus === null || w.idleAllocatedGpus === undefined) ? null : idle} />
        <Tile label="Recent failures" value={failed.length} />
      </div>
      <Section title={`Running (${running.length})`} note={idle > 0 ? `${plural(idle, 'holds', 'hold')} idle GPUs` : ''} rows={running} columns={RUNNING} none="Nothing of yours runs now." />
      <Section title={`Waiting (${waiting.length})`} rows={waiting} columns={WAITING} none="Nothing of yours waits." />
      {failed.length > 0 ? <Section title="Recent failures" rows={failed} columns={ENDED} none="" /> : null}
      {ended.length > 0 ? <Section title="Recently ended" rows={ended} columns={ENDED} none="" /> : null}
    </>
  );
}

function Tile({ label, value }: { label: string; value: number | null }) {
  return (
    <div className="tile">
      <div className="tile-label">{label}</div>
      <div className="tile-value">
        {value ?? '–'} {value === null ? <span className="tile-note">not measured</span> : null}
      </div>
    </div>
  );
}

function Section({ title, note, rows, columns, none }: { title: string; note?: string; rows: Workload[]; columns: Column<Workload>[]; none: string }) {
  return (
    <Card flush title={title} actions={note ? <span className="badge wait">{note}</span> : undefined}>
      {rows.length === 0 ? <p className="card-body small muted">{none}</p> : <Table label={title} columns={columns} rows={rows} rowId={(w) => w.id} />}
    </Card>
  );
}

function Quotas() {
  const projects = useQuery(queries.projects);
  if (!projects.data || projects.data.length === 0) return null;
  return (
    <Card title="Quota of my projects">
      <div className="grid">
        {projects.data.slice(0, 12).map((p: Project) => (
          <div key={p.id} className="stack close">
            <div className="row between small">
              <Link to={`/workloads?project=${p.id}`} className="strong">
                {p.name}
              </Link>
            </div>
            <QuotaBar quota={p.totalResources.gpuQuota ?? 0} status={p.status.quotaStatus} />
          </div>
        ))}
      </div>
    </Card>
  );
}
