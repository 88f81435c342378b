import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { engine } from '@/api/engine';
import { runs } from '@/api/runs';
import type { Workload } from '@/api/queries';
import { bytes, gpus, hoursOf, plural } from '@/lib/quantity';
import { isLasting, moreThanStatus } from '@/lib/reasons';
import { parseTime, startRange } from '@/lib/time';
import { ICONS, isEnded, isRunning, isWaiting } from '@/pages/workloads/kinds';
import { progressOf } from '@/pages/workloads/progress';
import { TimeLeft } from '@/pages/workloads/time-left';
import { NodeLink, PersonLink, ProjectLink } from '@/ui/links';
import { Phase } from '@/ui/phase';
import type { Column } from '@/ui/table';
import { Elapsed, Time, useNow } from '@/ui/time';
import { Tip } from '@/ui/tip';

export function WorkloadName({ workload }: { workload: Pick<Workload, 'id' | 'name' | 'type'> }) {
  const Icon = ICONS[workload.type];
  return (
    <span className="cell-name">
      {Icon ? <Icon size={15} aria-hidden /> : null}
      <span className="visually-hidden">{workload.type}</span>
      <Link className="clip strong" to={`/workloads/${workload.id}`} title={workload.name}>
        {workload.name}
      </Link>
    </span>
  );
}

/** The status, and below it what the status alone does not say. */
function PhaseCell({ w }: { w: Workload }) {
  return (
    <span className="stack none">
      <Tip text={w.phaseMessage}>
        <span>
          <Phase phase={w.phase} />
        </span>
      </Tip>
      {reasonOf(w) ? (
        <span className="reason-cell tiny soft" title={reasonOf(w)}>
          {reasonOf(w)}
        </span>
      ) : null}
    </span>
  );
}

const asked = (w: Workload) => w.workloadRequestedResources;
const reasonOf = (w: Workload) => moreThanStatus(w.phaseMessage);

function RunTime({ w }: { w: Workload }) {
  if (isWaiting(w.phase)) return <span className="muted small">waits <Elapsed from={w.createdAt} /></span>;
  if (isEnded(w.phase)) return <span className="muted small">ended <Time at={w.completedAt ?? w.phaseUpdatedAt} /></span>;
  return (
    <span className="row wrap close">
      <Elapsed from={w.phaseUpdatedAt} /> <TimeLeft workload={w} />
    </span>
  );
}

/** Its place and start while it waits, its nodes while it runs. */
function Where({ w }: { w: Workload }) {
  const waits = isWaiting(w.phase);
  const queue = useQuery({ ...engine.queue, retry: false, enabled: waits });
  const now = useNow();
  if (!waits) {
    return w.nodes?.length ? (
      <span className="row wrap">
        {w.nodes.slice(0, 3).map((node) => (
          <NodeLink key={node} name={node} />
        ))}
        {w.nodes.length > 3 ? <span className="muted">and {w.nodes.length - 3} more</span> : null}
      </span>
    ) : (
      <span className="muted">–</span>
    );
  }
  const line = queue.data?.find((l) => l.workloadId === w.id);
  if (!line) return <span className="muted">–</span>;
  if (isLasting(line.reason)) return <span className="field-error">cannot start here</span>;
  const range = startRange(parseTime(line.earliest), parseTime(line.latest), now);
  return (
    <span className="num wrapping">
      place {line.position}
      {range ? `, starts ${range}` : ''}
    </span>
  );
}

/** How busy its GPUs are; nothing is said of what nobody measures. */
export function GpuUseCell({ w }: { w: Workload }) {
  const holds = isRunning(w.phase) && (asked(w)?.gpu?.request ?? 0) > 0;
  const uses = useQuery({ ...engine.gpuUse, enabled: holds });
  const use = uses.data?.get(w.id);
  if (!holds) return <span className="muted">–</span>;
  const busy = use?.busyPercent;
  if (busy === null || busy === undefined) return <span className="muted tiny">not measured</span>;
  return (
    <span className="row use" title={`${use?.measuredGpus} of ${plural(use?.gpus ?? 0, 'GPU')} measured`}>
      <span className="use-track" aria-hidden>
        <span className={`use-fill ${busy < 10 ? 'low' : ''}`} style={{ width: `${busy}%` }} />
      </span>
      <span className="num tiny">{busy} %</span>
    </span>
  );
}

/** The GPU-hours that it has held; asked for each row, so the column has to be chosen. */
function GpuHoursCell({ w }: { w: Workload }) {
  const started = !isWaiting(w.phase) && (asked(w)?.gpu?.request ?? 0) > 0;
  const usage = useQuery({ ...engine.usage(w.id), enabled: started, retry: false, staleTime: 30_000 });
  const held = usage.data?.used.gpuHoursHeld;
  if (!started || typeof held !== 'number') return <span className="muted">–</span>;
  return <span className="num">{hoursOf(held)}</span>;
}

/** How far its program says it is: the newest step that it has logged. */
function ProgressCell({ w }: { w: Workload }) {
  const started = !isWaiting(w.phase);
  const list = useQuery({ ...runs.list({ workloadId: w.id, limit: 1 }), enabled: started, retry: false });
  const text = progressOf(list.data?.runs[0]);
  return text ? <span className="num small">{text}</span> : <span className="muted" title="It has logged no metric">–</span>;
}

const joined = (list: string[] | undefined) => (list ?? []).join(', ') || '–';
const clip = (text: string) => (
  <span className="clip cell-clip" title={text}>
    {text}
  </span>
);

export const COLUMNS: Column<Workload>[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: (w) => <WorkloadName workload={w} />, text: (w) => w.name },
  { id: 'phase', header: 'Status', sort: 'phase', cell: (w) => <PhaseCell w={w} />, text: (w) => w.phase },
  { id: 'for', header: 'Time', cell: (w) => <RunTime w={w} />, text: (w) => w.phaseUpdatedAt },
  { id: 'reason', header: 'Reason', cell: (w) => <span className="reason-cell" title={reasonOf(w)}>{reasonOf(w) || '–'}</span>, text: (w) => w.phaseMessage, extra: true },
  { id: 'type', header: 'Type', sort: 'type', cell: (w) => w.type, text: (w) => w.type, extra: true },
  { id: 'project', header: 'Project', sort: 'projectName', cell: (w) => <ProjectLink id={w.projectId} name={w.projectName} />, text: (w) => w.projectName },
  { id: 'department', header: 'Department', sort: 'departmentName', cell: (w) => w.departmentName, text: (w) => w.departmentName, extra: true },
  { id: 'gpu', header: 'GPUs', right: true, cell: (w) => gpus(asked(w)?.gpu?.request), text: (w) => asked(w)?.gpu?.request },
  { id: 'allocated', header: 'Allocated', right: true, cell: (w) => gpus(w.allocatedResources?.gpu), text: (w) => w.allocatedResources?.gpu, extra: true },
  { id: 'use', header: 'GPU use', cell: (w) => <GpuUseCell w={w} /> },
  { id: 'where', header: 'Node or place', cell: (w) => <Where w={w} />, text: (w) => joined(w.nodes) },
  { id: 'hours', header: 'GPU-hours', right: true, cell: (w) => <GpuHoursCell w={w} />, extra: true },
  { id: 'progress', header: 'Progress', cell: (w) => <ProgressCell w={w} />, extra: true },
  { id: 'idle', header: 'Idle GPUs', right: true, cell: (w) => gpus(w.idleGpus), text: (w) => w.idleGpus, extra: true },
  { id: 'cpu', header: 'CPU requested', right: true, cell: (w) => gpus(asked(w)?.cpu?.request), text: (w) => asked(w)?.cpu?.request, extra: true },
  { id: 'memory', header: 'Memory requested', right: true, cell: (w) => bytes(asked(w)?.cpuMemory?.request), text: (w) => asked(w)?.cpuMemory?.request, extra: true },
  { id: 'pods', header: 'Tasks', right: true, cell: (w) => `${w.runningPods}/${w.requestedPods?.number ?? 1}`, text: (w) => `${w.runningPods}/${w.requestedPods?.number ?? 1}`, extra: true },
  { id: 'pool', header: 'Node pool', sort: 'nodepool', cell: (w) => joined(w.currentNodePools?.length ? w.currentNodePools : w.requestedNodePools), text: (w) => joined(w.currentNodePools), extra: true },
  { id: 'by', header: 'Submitted by', sort: 'submittedBy', cell: (w) => <span className="clip cell-clip narrow"><PersonLink name={w.submittedBy} /></span>, text: (w) => w.submittedBy },
  { id: 'priority', header: 'Priority', sort: 'priorityClassName', cell: (w) => w.priorityClassName, text: (w) => w.priorityClassName, extra: true },
  { id: 'preemptible', header: 'Preemptible', cell: (w) => (w.preemptible ? 'Yes' : 'No'), text: (w) => String(w.preemptible), extra: true },
  { id: 'image', header: 'Image', cell: (w) => clip(joined(w.images)), text: (w) => joined(w.images), extra: true },
  { id: 'created', header: 'Created', sort: 'createdAt', cell: (w) => <Time at={w.createdAt} />, text: (w) => w.createdAt, extra: true },
  { id: 'completed', header: 'Ended', sort: 'completedAt', cell: (w) => <Time at={w.completedAt} />, text: (w) => w.completedAt, extra: true },
  { id: 'since', header: 'In status for', cell: (w) => <Elapsed from={w.phaseUpdatedAt} />, text: (w) => w.phaseUpdatedAt, extra: true },
  { id: 'id', header: 'Id', sort: 'id', cell: (w) => <span className="mono tiny">{w.id}</span>, text: (w) => w.id, extra: true },
];
