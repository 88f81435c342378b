// The head of a study: the best found, the budget spent, and the next suggestion.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAllowed } from '@/api/queries';
import { gpuHoursOf, studies, type Study } from '@/api/studies';
import { hoursOf, plural } from '@/lib/quantity';
import { duration } from '@/lib/time';
import { number } from '@/pages/runs/values';
import { AddTrialDialog } from '@/pages/studies/add-trial';
import { directionOf, metricOf } from '@/pages/studies/fields';
import { whyOrigin } from '@/pages/studies/origin';
import { valueText } from '@/pages/studies/trial';
import type { View } from '@/pages/studies/view';
import { Bar } from '@/ui/bar';
import { Button } from '@/ui/button';
import { Lightbulb } from '@/ui/icons';
import { Card, Facts } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Elapsed } from '@/ui/time';

const COLORS = { complete: 'var(--chart-1)', pruned: 'var(--chart-3)', running: 'var(--chart-2)', failed: 'var(--bad)' } as const;
const KINDS = ['complete', 'pruned', 'running', 'failed'] as const;

/** Trials by state, beside those that the budget still allows. */
export function TrialsBar({ study }: { study: Study }) {
  const counts = study.trials;
  const wanted = study.budget.maxTrials ? study.budget.maxTrials * (study.spec.repeats ?? 1) : 0;
  const sum = KINDS.reduce((all, kind) => all + counts[kind], 0);
  const label = `${KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`).join(', ') || 'no trial yet'}${wanted ? `, of ${wanted}` : ''}`;
  return <Bar label={label} total={Math.max(wanted, sum)} segments={KINDS.map((kind) => ({ label: kind, value: counts[kind], color: COLORS[kind] }))} />;
}

function CountsLegend({ study }: { study: Study }) {
  return (
    <ul className="plot-legend">
      {KINDS.filter((kind) => study.trials[kind] > 0).map((kind) => (
        <li key={kind}>
          <span className="swatch" style={{ background: COLORS[kind] }} aria-hidden /> {study.trials[kind].toLocaleString('en')} {kind}
        </li>
      ))}
    </ul>
  );
}

export function Spent({ study }: { study: Study }) {
  const { budget, trials } = study;
  return (
    <Card title="Budget">
      <div className="stack tight">
        <TrialsBar study={study} />
        <CountsLegend study={study} />
        <Facts
          rows={[
            ['Configurations', <span key="c" className="num">{trials.configurations.toLocaleString('en')}{budget.maxTrials ? ` of ${budget.maxTrials.toLocaleString('en')}` : ', without a limit'}</span>],
            ['Runs of each', <span key="r" className="num">{study.spec.repeats ?? 1}</span>],
            ['Time', <span key="t" className="num"><Elapsed from={study.createdAt} to={study.endedAt} />{budget.maxDurationSeconds ? ` of ${duration(budget.maxDurationSeconds)}` : ''}</span>],
            ['GPU-hours', gpuHoursOf(study) === null ? 'not known: its trials are not work of this server' : <span key="g" className="num">{hoursOf(study.gpuHours)}{budget.maxGpuHours ? ` of ${hoursOf(budget.maxGpuHours)}` : ''} <span className="muted">of ended trials</span></span>],
            ['At the same time', <span key="a" className="num">{study.spec.concurrency ?? 1}</span>],
            ['Search', `${study.spec.sampler ?? 'auto'}${study.spec.pruner && study.spec.pruner.type !== 'none' ? `, pruned by ${study.spec.pruner.type}` : ''}`],
          ]}
        />
      </div>
    </Card>
  );
}

export function Best({ view }: { view: View }) {
  const { study } = view;
  const asked = useQuery({ ...studies.best(study.id, study.trials.complete), retry: false });
  const several = study.spec.objectives.length > 1;
  if (asked.isPending) return <Card title="Best"><Skeleton lines={4} /></Card>;
  if (asked.isError) return <Card title="Best"><Failed small error={asked.error} what="the best trial" /></Card>;
  const [first] = asked.data.trials;
  if (!first) return <Card title="Best"><Empty small title="No trial is complete yet" /></Card>;
  if (several) {
    return (
      <Card title="Best">
        <p className="soft">{asked.data.message}</p>
        <ul className="stack tight">
          {asked.data.trials.slice(0, 8).map((trial) => (
            <li key={trial.number} className="row wrap small">
              <button type="button" className="link" onClick={() => view.open(trial.number)}>Trial {trial.number}</button>
              <span className="num">{(trial.values ?? []).map((v, i) => `${metricOf(study, i)} ${number(v)}`).join(', ')}</span>
            </li>
          ))}
        </ul>
        {asked.data.trials.length > 8 ? <p className="muted small">and {asked.data.trials.length - 8} more in the plot of the front</p> : null}
      </Card>
    );
  }
  return (
    <Card title="Best">
      <div className="stack tight">
        <div className="best-value num">{number(first.mean ?? NaN)}</div>
        <div className="small soft">
          {metricOf(study)}, {directionOf(study, 0) === 'maximize' ? 'more' : 'less'} is better · <button type="button" className="link" onClick={() => view.open(first.number)}>trial {first.number}</button>
        </div>
        {(first.runs ?? 1) > 1 ? <div className="small soft">mean of {plural(first.runs ?? 1, 'run')}; the true mean is between {number(first.low ?? NaN)} and {number(first.high ?? NaN)} with 95 %</div> : null}
        <Facts rows={Object.entries(first.parameters).map(([name, value]) => [name, <span key={name} className="num break">{valueText(value)}</span>])} />
      </div>
    </Card>
  );
}

/** Asked for by a person: a model of thousands of trials costs the server a second. */
export function Next({ view }: { view: View }) {
  const { study } = view;
  const [wanted, setWanted] = useState(false);
  const [adding, setAdding] = useState(false);
  const asked = useQuery({ ...studies.next(study.id, view.trials.count), enabled: wanted, retry: false });
  const may = useAllowed()('trainings', 'update') && study.state !== 'Stopped';
  return (
    <Card title="Next suggestion">
      {!wanted ? (
        <div className="stack tight">
          <p className="soft small">The configuration that the search would try if a trial began now, and why.</p>
          <div>
            <Button icon={<Lightbulb size={15} />} onClick={() => setWanted(true)}>
              Show it
            </Button>
          </div>
        </div>
      ) : asked.isPending ? (
        <Skeleton lines={3} />
      ) : asked.isError ? (
        <Failed small error={asked.error} what="the next suggestion" />
      ) : (
        <div className="stack tight">
          <p className="says">
            <Lightbulb size={15} aria-hidden />
            <span>{whyOrigin(asked.data.origin)}</span>
          </p>
          <Facts rows={Object.entries(asked.data.parameters).map(([name, value]) => [name, <span key={name} className="num break">{valueText(value)}</span>])} />
          {may ? (
            <div>
              <Button small onClick={() => setAdding(true)}>
                Change it and add a trial
              </Button>
            </div>
          ) : null}
        </div>
      )}
      {adding && asked.data ? <AddTrialDialog study={study} from={asked.data.parameters as Record<string, unknown>} onClose={() => setAdding(false)} /> : null}
    </Card>
  );
}
