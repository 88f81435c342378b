import { useQuery } from '@tanstack/react-query';
import { ListOrdered } from '@/ui/icons';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { isNotOffered } from '@/api/client';
import { engine, type QueueLine } from '@/api/engine';
import { queries, type Workload } from '@/api/queries';
import { gpus } from '@/lib/quantity';
import { absolute, parseTime, startRange } from '@/lib/time';
import { useProject } from '@/shell/project';
import { reasonWords } from '@/lib/reasons';
import { Badge } from '@/ui/badge';
import { Page } from '@/ui/page';
import { Empty, Failed, Notice, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Time, useNow } from '@/ui/time';

function Start({ line }: { line: QueueLine }) {
  const now = useNow();
  const earliest = parseTime(line.earliest);
  const range = startRange(earliest, parseTime(line.latest), now);
  if (!range) return <span className="muted">not known</span>;
  return <span title={earliest ? absolute(earliest) : undefined}>{range}</span>;
}

const COLUMNS: Column<QueueLine>[] = [
  { id: 'position', header: 'Place', right: true, cell: (l) => l.position },
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
  { id: 'user', header: 'By', cell: (l) => l.userName },
  { id: 'gpu', header: 'GPUs', right: true, cell: (l) => gpus(l.gpu) },
  { id: 'reason', header: 'Waits for', cell: (l) => <Badge tone="wait">{reasonWords(l.reason)}</Badge> },
  { id: 'start', header: 'Starts', cell: (l) => <Start line={l} /> },
];

const WAITING: Column<Workload>[] = [
  {
    id: 'name',
    header: 'Workload',
    cell: (w) => (
      <Link className="strong" to={`/workloads/${w.id}`}>
        {w.name}
      </Link>
    ),
  },
  { id: 'project', header: 'Project', cell: (w) => w.projectName },
  { id: 'by', header: 'By', cell: (w) => w.submittedBy ?? '–' },
  { id: 'gpu', header: 'GPUs', right: true, cell: (w) => gpus(w.workloadRequestedResources?.gpu?.request) },
  { id: 'why', header: 'Why', cell: (w) => <span className="break">{w.phaseMessage}</span> },
  { id: 'since', header: 'Submitted', cell: (w) => <Time at={w.createdAt} /> },
];

export default function Queue() {
  const queue = useQuery({ ...engine.queue, retry: false });
  const projects = useQuery(queries.projects);
  const [project] = useProject();
  const name = projects.data?.find((p) => p.id === project)?.name;
  const lines = useMemo(() => (queue.data ?? []).filter((l) => !name || l.projectName === name), [queue.data, name]);
  return (
    <Page title="Queue" sub="Waiting work in the order in which the scheduler decides">
      {queue.isError && isNotOffered(queue.error) ? (
        <Fallback project={project} />
      ) : (
        <section className="card">
          {queue.isPending ? (
            <div className="card-body">
              <Skeleton lines={6} />
            </div>
          ) : queue.isError ? (
            <Failed error={queue.error} what="the queue" retry={() => void queue.refetch()} />
          ) : lines.length === 0 ? (
            <Nobody />
          ) : (
            <Table label="Queue" columns={COLUMNS} rows={lines} rowId={(l) => l.workloadId} />
          )}
        </section>
      )}
    </Page>
  );
}

function Nobody() {
  return (
    <Empty title="Nobody waits" icon={<ListOrdered size={20} />}>
      Work that cannot start at once is listed here with its place, its reason and when it may start.
    </Empty>
  );
}

/** A server without a scheduler: at least who waits, by age. */
function Fallback({ project }: { project: string }) {
  const filterBy = `phase==Pending${project ? `,projectId==${project}` : ''}`;
  const waiting = useQuery(queries.workloads({ filterBy, sortBy: 'createdAt', sortOrder: 'asc', limit: 100 }));
  const rows = waiting.data?.workloads ?? [];
  return (
    <>
      <Notice>This server does not offer the scheduler's order yet. These wait, the oldest first.</Notice>
      <section className="card">{rows.length === 0 ? <Nobody /> : <Table label="Waiting work" columns={WAITING} rows={rows} rowId={(w) => w.id} />}</section>
    </>
  );
}
