import { useQuery } from '@tanstack/react-query';
import { ListOrdered } from '@/ui/icons';
import { useCallback, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { isNotOffered } from '@/api/client';
import { engine, type QueueLine } from '@/api/engine';
import { queries, type Workload } from '@/api/queries';
import { gpus } from '@/lib/quantity';
import { useProject } from '@/shell/project';
import { COLUMNS, ruleOf } from '@/pages/queue/columns';
import { MoveButtons, MoveDialog } from '@/pages/queue/move';
import { isMovable, moveTo, type Move } from '@/pages/queue/reorder';
import { Running } from '@/pages/queue/running';
import { ColumnChoice, useColumns } from '@/ui/list';
import { Segments } from '@/ui/field';
import { Page } from '@/ui/page';
import { Empty, Failed, Notice, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Time } from '@/ui/time';

type View = 'waiting' | 'running';

export default function Queue() {
  const [params, setParams] = useSearchParams();
  const view: View = params.get('view') === 'running' ? 'running' : 'waiting';
  return (
    <Page
      title="Queue"
      sub={view === 'waiting' ? 'Waiting work in the order in which the scheduler decides' : "Running work: anyone's first GPU stands before anyone's second"}
      actions={<Segments label="View" value={view} onChange={(next) => setParams(next === 'running' ? { view: next } : {}, { replace: true })} options={[['waiting', 'Waiting'], ['running', 'Running, by nth GPU']]} />}
    >
      {view === 'waiting' ? <Waiting /> : <Running />}
    </Page>
  );
}

function Waiting() {
  const queue = useQuery({ ...engine.queue, retry: false });
  const projects = useQuery(queries.projects);
  const [project] = useProject();
  const name = projects.data?.find((p) => p.id === project)?.name;
  const lines = useMemo(() => (queue.data ?? []).filter((l) => !name || l.projectName === name), [queue.data, name]);
  const { shown, ids, choose } = useColumns('queue', COLUMNS);
  if (queue.isError && isNotOffered(queue.error)) return <Fallback project={project} />;
  return (
    <>
      {lines.length > 0 ? (
        <div className="toolbar">
          <p className="small soft grow">{ruleOf(lines)}</p>
          <ColumnChoice all={COLUMNS} ids={ids} choose={choose} />
        </div>
      ) : null}
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
          <Lines columns={shown} lines={lines} />
        )}
      </section>
    </>
  );
}

/** The table, with ways to move one's own lines: by buttons, or by dragging onto another line. */
function Lines({ columns, lines }: { columns: Column<QueueLine>[]; lines: QueueLine[] }) {
  const me = useQuery(queries.me).data?.username;
  const [move, setMove] = useState<Move | null>(null);
  const [dragged, setDragged] = useState<QueueLine | null>(null);
  const actions = useCallback((line: QueueLine) => <MoveButtons line={line} lines={lines} me={me} onMove={setMove} />, [lines, me]);
  const target = (line: QueueLine) => (dragged ? moveTo(dragged, line, line.position < dragged.position ? 'before' : 'after') : null);
  const rowProps = (line: QueueLine) => ({
    draggable: isMovable(line, me),
    onDragStart: () => setDragged(line),
    onDragEnd: () => setDragged(null),
    onDragOver: (event: React.DragEvent) => target(line) && event.preventDefault(),
    onDrop: () => setMove(target(line)),
  });
  return (
    <>
      <Table label="Queue" columns={columns} rows={lines} rowId={(l) => l.workloadId} actions={lines.some((l) => isMovable(l, me)) ? actions : undefined} rowProps={rowProps} />
      {move ? <MoveDialog move={move} onClose={() => setMove(null)} /> : null}
    </>
  );
}

function Nobody() {
  return (
    <Empty title="Nobody waits" icon={<ListOrdered size={20} />}>
      Work that cannot start at once is listed here with its place, its reason and when it may start.
    </Empty>
  );
}

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
