import { useQuery } from '@tanstack/react-query';
import { engine, type Attempt } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { bytes, gpus } from '@/lib/quantity';
import { isWaiting } from '@/pages/workloads/kinds';
import { Stages } from '@/pages/workload/stages';
import { UsageCard } from '@/pages/workload/usage';
import { WhyPanel } from '@/pages/workload/why';
import { Card, Facts } from '@/ui/page';
import { Notice } from '@/ui/state';
import { Elapsed, FullTime } from '@/ui/time';

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
              ['GPUs', last?.gpus.length ? <span className="mono tiny">{last.gpus.join(' ')}</span> : null],
              ['Node pools', (w.currentNodePools?.length ? w.currentNodePools : w.requestedNodePools)?.join(', ') || 'any'],
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

function Asked({ w }: { w: WorkloadDetails }) {
  const asked = w.workloadRequestedResources;
  return (
    <Facts
      rows={[
        ['GPUs', gpus(asked?.gpu?.request)],
        ['GPU memory', asked?.gpuMemory?.request ? bytes(asked.gpuMemory.request) : null],
        ['CPU cores', gpus(asked?.cpu?.request)],
        ['Memory', bytes(asked?.cpuMemory?.request)],
        ['Tasks', `${w.requestedPods?.number ?? 1}`],
        ['Priority', `${w.priorityClassName}${w.preemptible ? ', may be preempted' : ''}`],
        ['Submitted', <FullTime key="t" at={w.createdAt} />],
      ]}
    />
  );
}

const BAD = ['Exit', 'Signal', 'OutOfMemory', 'LaunchFailed', 'NodeLost', 'TimeLimit'];

function Ending({ workload, attempt }: { workload: WorkloadDetails; attempt: Attempt | undefined }) {
  if (!attempt?.cause && workload.phase !== 'Failed') return null;
  if (isWaiting(workload.phase) && !attempt?.cause) return null;
  const text = attempt?.message || workload.phaseMessage;
  const stop = attempt?.stop;
  const bad = workload.phase === 'Failed' || BAD.includes(attempt?.cause ?? '');
  return (
    <Notice tone={bad ? 'bad' : 'plain'}>
      <span className="strong">{attempt ? `Attempt ${attempt.number} ended: ${attempt.cause ?? 'unknown'}` : 'It failed'}</span>
      {attempt?.exitCode !== null && attempt?.exitCode !== undefined ? `, exit code ${attempt.exitCode}` : ''}
      {attempt?.signal ? `, signal ${attempt.signal}` : ''}. {text}
      {stop?.by ? ` Stopped by ${stop.by}${stop.rule ? ` under the rule ${stop.rule}` : ''}.` : ''}
    </Notice>
  );
}
