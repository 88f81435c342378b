import { lazy, Suspense, useMemo } from 'react';
import type { Step } from '@/api/usage';
import { ChartLine } from '@/ui/icons';
import { Card } from '@/ui/page';
import { Empty, Skeleton } from '@/ui/state';
import type { Range, Series, Unit } from '@/ui/chart';

const Chart = lazy(async () => ({ default: (await import('@/ui/chart')).Chart }));

const at = (text: string | undefined) => Date.parse(text ?? '') / 1000;

type Value = (step: Step) => number | null | undefined;

const seriesOf = (steps: Step[], values: [string, Value][]): Series[] =>
  values
    .map(([label, value]) => ({ label, points: steps.flatMap((s): [number, number][] => ((v) => (v === null || v === undefined ? [] : [[Date.parse(s.end) / 1000, v]]))(value(s))) }))
    .filter((one) => one.points.length > 0);

const HELD: [string, Value][] = [['allocated', (s) => s.gpusHeld], ['busy', (s) => s.gpusUsed]];
const BUSY: [string, Value][] = [['busy, of what is measured', (s) => s.busyPercent]];
const WAITS: [string, Value][] = [['mean', (s) => s.waitedSeconds], ['longest', (s) => s.longestWaitSeconds]];
const STARTS: [string, Value][] = [['starts', (s) => s.started]];

export function StepCharts({ steps }: { steps: Step[] }) {
  return (
    <div className="grid even charts">
      <StepChart title="GPUs allocated" unit="count" steps={steps} values={HELD} />
      <StepChart title="GPU utilisation" unit="percent" steps={steps} values={BUSY} />
      <StepChart title="Wait from submission to start" unit="duration" steps={steps} values={WAITS} />
      <StepChart title="Work started" unit="count" steps={steps} values={STARTS} />
    </div>
  );
}

function StepChart({ title, unit, steps, values }: { title: string; unit: Unit; steps: Step[]; values: [string, Value][] }) {
  const series = useMemo(() => seriesOf(steps, values), [steps, values]);
  const range: Range = [at(steps[0]?.start), at(steps.at(-1)?.end)];
  return (
    <Card title={title}>
      {series.length === 0 ? (
        <Empty small title="Nothing measured in this period" icon={<ChartLine size={20} />} />
      ) : (
        <Suspense fallback={<Skeleton lines={5} />}>
          <Chart label={title} series={series} unit={unit} range={range} />
        </Suspense>
      )}
    </Card>
  );
}
