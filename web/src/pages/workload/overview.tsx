import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { engine, record, type Attempt } from '@/api/engine';
import { duration } from '@/lib/time';
import { useAllowed, type WorkloadDetails } from '@/api/queries';
import { isolationAbout } from '@/lib/isolation';
import { bytes, gpus, parseBytes } from '@/lib/quantity';
import { isEnded, isRunning, isWaiting, kindRoute } from '@/pages/workloads/kinds';
import { Ending } from '@/pages/workload/ending';
import { Ranks, UseNow } from '@/pages/workload/now';
import { LogEnd } from '@/pages/workload/running';
import { TimeLeft } from '@/pages/workloads/time-left';
import { TrackedRuns } from '@/pages/workload/tracked';
import { claimOf, TrialOf } from '@/pages/workload/study';
import { Stages } from '@/pages/workload/stages';
import { UsageCard } from '@/pages/workload/usage';
import { WhyPanel } from '@/pages/workload/why';
import { IsolationBadge } from '@/ui/isolation';
import { NodeLink } from '@/ui/links';
import { Card, Facts } from '@/ui/page';
import { Skeleton } from '@/ui/state';
import { Elapsed, FullTime } from '@/ui/time';

const MOST_NODES = 8;

export function Overview({ workload: w }: { workload: WorkloadDetails }) {
  const attempts = useQuery(engine.attempts(w.id));
  const last = attempts.data?.[0];
  const claim = claimOf(w);
  return (
    <div className="stack">
      <Stages workload={w} attempt={last} />
      <Ending workload={w} attempt={last} />
      {isWaiting(w.phase) ? <WhyPanel workload={w} /> : null}
      {isRunning(w.phase) && last ? <LogEnd workload={w} attempt={last} /> : null}
      <div className="grid">
        <Card title="Requested">
          <Asked w={w} />
        </Card>
        <Card title="Placement">
          <Facts
            rows={[
              ['Cluster', w.clusterName ?? null],
              ['Nodes', last?.nodes.length ? <span key="n" className="row wrap">{[...new Set(last.nodes)].map((node) => <NodeLink key={node} name={node} />)}</span> : null],
              ['GPUs', last?.gpus.length ? <GpuNames names={last.gpus} /> : null],
              ['Node pools', (w.currentNodePools?.length ? w.currentNodePools : w.requestedNodePools)?.join(', ') || 'any'],
              ['Isolation', <Levels key="i" workload={w.id} attempt={last} />],
              ...optional('Attempt', last ? `${last.number}` : null),
              ...(last?.startedAt ? [[last.endedAt ? 'Ran for' : 'Runs for', <span key="r"><Elapsed from={last.startedAt} to={last.endedAt} /> <TimeLeft workload={w} startedAt={last.startedAt} /></span>] as [string, ReactNode]] : []),
              ...preemptions(attempts.data ?? []),
            ]}
          />
        </Card>
        <Card title="What runs">
          <Facts
            rows={[
              ['Command', w.command || w.arguments ? <code key="c" className="break small">{`${w.command ?? ''} ${w.arguments ?? ''}`.trim()}</code> : "the image's own"],
              ['Image', w.images?.length ? <code key="i" className="break small">{w.images.join(', ')}</code> : 'none: a plain process on the node'],
              ['Time limit', w.timeLimitSeconds ? duration(w.timeLimitSeconds) : 'none'],
              ['Mounts', <Mounts key="m" workload={w} />],
              ['Tracked', <TrackedRuns key="r" id={w.id} />],
              ...(claim ? [['Study', <TrialOf key="t" workload={w} claim={claim} />] as [string, ReactNode]] : []),
            ]}
          />
        </Card>
        {isRunning(w.phase) ? <UseNow workload={w} /> : null}
        <UsageCard id={w.id} ranFor={ranFor(last)} ended={isEnded(w.phase)} />
      </div>
      <Ranks workload={w} attempt={last} />
    </div>
  );
}

/** Seconds; none of work that did not start. */
const ranFor = (attempt: Attempt | undefined) => (attempt?.startedAt ? ((attempt.endedAt ? Date.parse(attempt.endedAt) : Date.now()) - Date.parse(attempt.startedAt)) / 1000 : 0);

/** Attempts that had to give way, which the line of stages does not show. */
function preemptions(attempts: Attempt[]): [string, string][] {
  const times = attempts.filter((attempt) => attempt.cause === 'Preempted').length;
  return times > 0 ? [['Preempted', times === 1 ? 'once' : `${times} times`]] : [];
}

/** Where its data comes from and where it is found inside. */
function Mounts({ workload: w }: { workload: WorkloadDetails }) {
  const made = useQuery(record(kindRoute(w.type), w.id));
  const storage = (made.data?.spec?.storage ?? {}) as Record<string, Record<string, unknown>[] | undefined>;
  const lines = Object.entries(storage).flatMap(([kind, list]) => (Array.isArray(list) ? list.map((m) => `${String(m.path ?? m.claimName ?? m.repository ?? m.bucket ?? kind)} → ${String(m.mountPath ?? m.path ?? '')}${m.readOnly ? ', read only' : ''}`) : []));
  if (made.isPending) return <Skeleton lines={1} />;
  if (made.isError) return <span className="muted">cannot be read now</span>;
  if (lines.length === 0) return <span className="muted">none</span>;
  return (
    <ul>
      {lines.map((line) => (
        <li key={line} className="mono tiny break">
          {line}
        </li>
      ))}
    </ul>
  );
}

function GpuNames({ names }: { names: string[] }) {
  return (
    <ul>
      {names.map((name, index) => (
        <li key={`${name}${index}`} className="mono tiny clip" title={name}>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** How strongly its GPUs are kept apart from others, while it holds them. */
function Levels({ workload, attempt }: { workload: string; attempt: Attempt | undefined }) {
  const allowed = useAllowed();
  const held = attempt && !attempt.endedAt && attempt.gpus.length > 0 ? [...new Set(attempt.nodes)] : [];
  const answers = useQueries({ queries: held.slice(0, MOST_NODES).map((node) => ({ ...engine.gpus({ search: node, limit: 25 }), enabled: allowed('nodes'), retry: false })) });
  const levels = answers.flatMap((a) => a.data ?? []).flatMap((gpu) => gpu.workloads.filter((w) => w.id === workload).map((w) => w.isolation));
  const distinct = [...new Set(levels)];
  if (distinct.length === 0) return <span className="muted">–</span>;
  return (
    <span className="row wrap">
      {distinct.map((level) => (
        <span key={level} className="row">
          <IsolationBadge level={level} /> <span className="small muted">{isolationAbout(level)}</span>
        </span>
      ))}
    </span>
  );
}

const optional = (label: string, value: string | null): [string, string][] => (value === null ? [] : [[label, value]]);

function Asked({ w }: { w: WorkloadDetails }) {
  const asked = w.workloadRequestedResources;
  return (
    <Facts
      rows={[
        ['GPUs', gpus(asked?.gpu?.request)],
        ...optional('GPU memory', asked?.gpuMemory?.request ? bytes(asked.gpuMemory.request) : null),
        ...optional('CPU cores', asked?.cpu?.request ? gpus(asked.cpu.request) : null),
        ...optional('Memory', parseBytes(asked?.cpuMemory?.request) ? bytes(asked?.cpuMemory?.request) : null),
        ['Tasks', `${w.requestedPods?.number ?? 1}`],
        ['Priority', `${w.priorityClassName}${w.preemptible ? ', may be preempted' : ''}`],
        ['Submitted', <FullTime key="t" at={w.createdAt} />],
      ]}
    />
  );
}
