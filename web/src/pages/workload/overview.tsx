import { useQueries, useQuery } from '@tanstack/react-query';
import { engine, type Attempt } from '@/api/engine';
import { useAllowed, type WorkloadDetails } from '@/api/queries';
import { isolationAbout } from '@/lib/isolation';
import { bytes, gpus, parseBytes } from '@/lib/quantity';
import { isWaiting } from '@/pages/workloads/kinds';
import { Stages } from '@/pages/workload/stages';
import { UsageCard } from '@/pages/workload/usage';
import { WhyPanel } from '@/pages/workload/why';
import { IsolationBadge } from '@/ui/isolation';
import { Card, Facts } from '@/ui/page';
import { Notice } from '@/ui/state';
import { Elapsed, FullTime } from '@/ui/time';

const MOST_NODES = 8;

export function Overview({ workload: w }: { workload: WorkloadDetails }) {
  const attempts = useQuery(engine.attempts(w.id));
  const last = attempts.data?.[0];
  return (
    <div className="stack">
      <Stages workload={w} attempt={last} />
      <Ending workload={w} attempt={last} />
      {isWaiting(w.phase) ? <WhyPanel workload={w} /> : null}
      <div className="grid">
        <Card title="Asked for">
          <Asked w={w} />
        </Card>
        <Card title="Placement">
          <Facts
            rows={[
              ['Nodes', last?.nodes.length ? last.nodes.join(', ') : null],
              ['GPUs', last?.gpus.length ? <GpuNames names={last.gpus} /> : null],
              ['Node pools', (w.currentNodePools?.length ? w.currentNodePools : w.requestedNodePools)?.join(', ') || 'any'],
              ['Isolation', <Levels key="i" workload={w.id} attempt={last} />],
              ['Attempt', last ? `${last.number}` : null],
              ['Running for', last?.startedAt ? <Elapsed from={last.startedAt} to={last.endedAt} /> : null],
            ]}
          />
        </Card>
        <UsageCard id={w.id} />
      </div>
    </div>
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

const CAUSES: Record<string, string> = { Exit: 'its command failed', Signal: 'killed by a signal', OutOfMemory: 'out of memory', LaunchFailed: 'it could not be started', NodeLost: 'its node was lost', TimeLimit: 'its time was over', Suspended: 'stopped', Preempted: 'it gave way to other work', Idle: 'it was idle', Completed: 'completed', Deleted: 'deleted' };
const causeWords = (cause: string | null | undefined) => CAUSES[cause ?? ''] ?? cause ?? 'unknown';
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

const BAD = ['Exit', 'Signal', 'OutOfMemory', 'LaunchFailed', 'NodeLost', 'TimeLimit'];

function Ending({ workload, attempt }: { workload: WorkloadDetails; attempt: Attempt | undefined }) {
  if (!attempt?.cause && attempt?.residence === 'Away') return <Notice tone="plain">{workload.phaseMessage}</Notice>;
  if (!attempt?.cause && workload.phase !== 'Failed') return null;
  if (isWaiting(workload.phase) && !attempt?.cause) return null;
  const text = attempt?.message || workload.phaseMessage;
  const stop = attempt?.stop;
  const bad = workload.phase === 'Failed' || BAD.includes(attempt?.cause ?? '');
  return (
    <Notice tone={bad ? 'bad' : 'plain'}>
      <span className="strong">{attempt ? `Attempt ${attempt.number} ended: ${causeWords(attempt.cause)}` : 'It failed'}</span>
      {attempt?.exitCode !== null && attempt?.exitCode !== undefined ? `, exit code ${attempt.exitCode}` : ''}
      {attempt?.signal ? `, signal ${attempt.signal}` : ''}. {text ? sentence(text) : ''}
      {stop?.by ? ` Stopped by ${stop.by}${stop.rule ? ` under the rule ${stop.rule}` : ''}.` : ''}
    </Notice>
  );
}
