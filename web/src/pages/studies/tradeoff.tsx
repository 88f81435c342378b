// Several objectives: which trials no other beats, and how what they cover grew.
import { useCallback, useMemo, useState } from 'react';
import { plural } from '@/lib/quantity';
import { signOf, placeOf, type Field } from '@/pages/studies/fields';
import { saysFront } from '@/pages/studies/insight';
import { PlotCard } from '@/pages/studies/parts';
import { Plot, type Pen } from '@/pages/studies/plot';
import { Scatter, StateLegend } from '@/pages/studies/scatter';
import { FieldChoice } from '@/pages/studies/space';
import { areas, front, pairsOf } from '@/pages/studies/sums';
import type { View } from '@/pages/studies/view';

export function TradeOff({ view }: { view: View }) {
  const [first, setFirst] = useState(0);
  const [second, setSecond] = useState(1);
  const { study, trials, fields } = view;
  const [x, y] = [fields.objectives[first] as Field, fields.objectives[second] as Field];
  const pairs = useMemo(() => pairsOf(study, trials, first, second), [study.id, trials, first, second]); // eslint-disable-line
  const kept = useMemo(() => front(pairs), [pairs]);
  const says = useMemo(() => saysFront(study, trials, first, second), [study, trials, first, second]);
  const over = useCallback(
    ({ ctx, x: px, y: py, color }: Pen) => {
      ctx.strokeStyle = color('--chart-4');
      ctx.fillStyle = color('--chart-4');
      ctx.lineWidth = 1.6;
      ctx.beginPath();
      let before = 0;
      kept.forEach(({ a, b }, i) => {
        const at = [px(placeOf(x, signOf(study, first) * a)), py(placeOf(y, signOf(study, second) * b))] as const;
        if (i === 0) ctx.moveTo(...at);
        else {
          ctx.lineTo(at[0], before);
          ctx.lineTo(...at);
        }
        before = at[1];
      });
      ctx.stroke();
      for (const { a, b } of kept) {
        ctx.beginPath();
        ctx.arc(px(placeOf(x, signOf(study, first) * a)), py(placeOf(y, signOf(study, second) * b)), 4, 0, 2 * Math.PI);
        ctx.fill();
      }
    },
    [kept, x, y, first, second, study.id], // eslint-disable-line
  );
  const many = fields.objectives.length > 2;
  const choose = (set: (index: number) => void) => (id: string) => set(fields.objectives.findIndex((f) => f.id === id));
  return (
    <div className="grid plots two">
      <PlotCard
        title="Pareto front"
        says={says}
        legend={<><StateLegend view={view} /><ul className="plot-legend"><li><span className="swatch" style={{ background: 'var(--chart-4)' }} aria-hidden /> beaten by no other ({kept.length})</li></ul></>}
        note={many ? 'Judged by these two objectives alone.' : `${aim(view, first)}, ${aim(view, second)}.`}
        actions={
          many ? (
            <>
              <FieldChoice label="Across" value={x.id} fields={fields.objectives.filter((f) => f.id !== y.id)} onChange={choose(setFirst)} />
              <FieldChoice label="Up" value={y.id} fields={fields.objectives.filter((f) => f.id !== x.id)} onChange={choose(setSecond)} />
            </>
          ) : null
        }
      >
        <Scatter view={view} x={x} y={y} over={over} label={`Trials by ${x.label} and ${y.label}: ${says}`} />
      </PlotCard>
      <Growth view={view} pairs={pairs} />
    </div>
  );
}

const aim = (view: View, objective: number) => `${view.fields.objectives[objective]?.label ?? ''}: ${signOf(view.study, objective) > 0 ? 'less' : 'more'} is better`;
const SHARE: Field = { id: 'covered', label: 'Hypervolume', values: new Float64Array(0), scale: 'linear', choices: [], low: 0, high: 1.05, cut: false, text: (v) => `${Math.round(100 * v)} %` };

function Growth({ view, pairs }: { view: View; pairs: ReturnType<typeof pairsOf> }) {
  const points = useMemo(() => areas(pairs), [pairs]);
  const says = useMemo(() => {
    const last = points.at(-1);
    const reached = points.find((p) => p.share >= 0.95);
    if (!last || !reached) return 'Too few trials are complete to say how the front grew.';
    return last.trial - reached.trial > last.trial / 2
      ? `95 % of what the front covers was there at trial ${reached.trial}; ${plural(last.trial - reached.trial, 'trial')} since then added little.`
      : `The front reached 95 % of what it covers at trial ${reached.trial} of ${last.trial}: it still grows.`;
  }, [points]);
  const draw = useCallback(
    ({ ctx, x, y, color }: Pen) => {
      ctx.strokeStyle = color('--chart-1');
      ctx.lineWidth = 1.8;
      ctx.beginPath();
      points.forEach((p, i) => {
        const [px, py] = [x(placeOf(view.fields.number, p.trial)), y(placeOf(SHARE, p.share))];
        if (i === 0) ctx.moveTo(px, py);
        else ctx.lineTo(px, py);
      });
      ctx.stroke();
    },
    [points, view.fields],
  );
  return (
    <PlotCard title="Hypervolume" says={says} note="The share of the area that the front covers by now.">
      <Plot label={`Hypervolume by trial: ${says}`} x={view.fields.number} y={SHARE} draw={draw} />
    </PlotCard>
  );
}
