// One trial: what it tried, what came of it, and the workload that ran it.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { goesOn, studies, type Study, type Trial } from '@/api/studies';
import { useAddress } from '@/lib/address';
import { hoursOf } from '@/lib/quantity';
import { metricText } from '@/pages/runs/values';
import { metricOf } from '@/pages/studies/fields';
import { whyOrigin } from '@/pages/studies/origin';
import { TrialStateBadge } from '@/pages/studies/state';
import { Dialog } from '@/ui/dialog';
import { Facts } from '@/ui/page';
import { Failed, Notice, Skeleton } from '@/ui/state';
import { Elapsed, FullTime } from '@/ui/time';

const RunChart = lazy(async () => ({ default: (await import('@/pages/runs/run-chart')).RunChart }));

export function TrialDialog({ study, number }: { study: Study; number: number }) {
  const { set } = useAddress();
  const trial = useQuery({ ...studies.trial(study.id, number, goesOn(study)), retry: false });
  return (
    <Dialog wide title={`Trial ${number} of ${study.name}`} onClose={() => set({ trial: '' })}>
      {trial.isPending ? <Skeleton lines={6} /> : trial.isError ? <Failed small error={trial.error} what="this trial" /> : <Content study={study} trial={trial.data} />}
    </Dialog>
  );
}

export const valueText = (value: unknown) => (typeof value === 'number' ? metricText(value) : typeof value === 'string' ? value : JSON.stringify(value));

/** Why a trial has no workload: a program, or a person, has told what came of it, or its workload is still to be made. */
export function withoutWorkload(study: Pick<Study, 'spec'>, trial: Pick<Trial, 'state'>): string {
  if (trial.state === 'Running') return study.spec.workload ? 'Its workload is being made.' : 'A program runs it; it has no workload.';
  if (!study.spec.workload) return 'A program ran it; it has no workload.';
  return trial.state === 'Failed' ? 'It has no workload.' : 'It has no workload: its result was recorded by hand.';
}

function Content({ study, trial }: { study: Study; trial: Trial }) {
  const results = (trial.values ?? []).map((value, i): [string, string] => [metricOf(study, i), valueText(value)]);
  return (
    <div className="stack">
      <div className="row wrap">
        <TrialStateBadge state={trial.state} />
        {trial.workloadId ? <Link to={`/workloads/${trial.workloadId}`}>Its workload</Link> : <span className="muted small">{withoutWorkload(study, trial)}</span>}
        {trial.workloadId ? <Link to={`/workloads/${trial.workloadId}?tab=logs`}>Log</Link> : null}
      </div>
      {trial.message ? <Notice tone={trial.state === 'Failed' ? 'bad' : 'plain'}>{trial.message}</Notice> : null}
      <div className="grid even">
        <section className="stack tight">
          <h3 className="small strong">Parameters</h3>
          <Facts rows={Object.entries(trial.parameters).map(([name, value]) => [name, <span key={name} className="num break">{valueText(value)}</span>])} />
        </section>
        <section className="stack tight">
          <h3 className="small strong">Outcome</h3>
          <Facts
            rows={[
              ...(results.length > 0 ? results.map(([name, text]): [string, React.ReactNode] => [name, <strong key={name} className="num">{text}</strong>]) : [[metricOf(study), trial.state === 'Running' ? 'not there yet' : 'none'] as [string, string]]),
              ['Proposed', whyOrigin(trial.origin)],
              ...(trial.repeatOf !== undefined ? [['Repeats', `trial ${trial.repeatOf}`] as [string, string]] : []),
              ...(trial.continues !== undefined ? [['Takes the place of', `trial ${trial.continues}`], ['Started from', `the checkpoint of trial ${trial.resumesFrom}`]] as [string, string][] : []),
              ['Began', <FullTime key="b" at={trial.createdAt} />],
              [trial.endedAt ? 'Took' : 'Since then', <Elapsed key="t" from={trial.createdAt} to={trial.endedAt} />],
              ['GPU-hours', !trial.workloadId ? null : trial.endedAt ? hoursOf(trial.gpuHours) : 'counted at its end'],
            ]}
          />
        </section>
      </div>
      {(trial.reports?.length ?? 0) > 1 ? <Reports study={study} trial={trial} /> : null}
    </div>
  );
}

function Reports({ study, trial }: { study: Study; trial: Trial }) {
  const lines = useMemo(() => {
    const reports = trial.reports ?? [];
    const series = { runId: '', metric: metricOf(study), points: reports.length, steps: reports.map((r) => r.step), times: reports.map(() => 0), values: reports.map((r) => r.value as unknown) };
    return [{ label: metricOf(study), index: 0, series: series as never }];
  }, [study, trial]);
  return (
    <Suspense fallback={<Skeleton />}>
      <RunChart label={`${metricOf(study)} of trial ${trial.number} by step`} lines={lines} look={{ axis: 'step', smoothing: 0, log: false }} />
    </Suspense>
  );
}
