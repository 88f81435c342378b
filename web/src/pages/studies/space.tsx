// How the parameters matter: importance, parallel coordinates, slices, a surface, ranks.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { studies } from '@/api/studies';
import { sampled } from '@/api/trials';
import { placeOf, valueAt, type Field } from '@/pages/studies/fields';
import { saysImportance, saysRank, saysSlice, saysSurface, type Importance } from '@/pages/studies/insight';
import { PlotCard } from '@/pages/studies/parts';
import { Plot, toneOf, type Pen } from '@/pages/studies/plot';
import { RankLegend, Scatter } from '@/pages/studies/scatter';
import { surface } from '@/pages/studies/sums';
import type { View } from '@/pages/studies/view';
import { Button } from '@/ui/button';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';

const endedOf = (view: View) => view.study.trials.complete + view.study.trials.pruned;

/** Asked again only once a tenth more is known: it costs the server a second for thousands of trials. */
const waves = (ended: number) => (ended < 20 ? ended : Math.floor(Math.log(ended) / Math.log(1.1)));

export function useImportances(view: View) {
  return useQuery({ ...studies.importances(view.study.id, waves(endedOf(view))), retry: false });
}

export function Importances({ view, onPick }: { view: View; onPick?: (parameter: string) => void }) {
  const asked = useImportances(view);
  if (asked.isPending) return <Card title="Importance"><Skeleton lines={4} /></Card>;
  if (asked.isError) return <Card title="Importance"><Failed small error={asked.error} what="the importances" /></Card>;
  const list = asked.data as Importance[];
  const most = Math.max(...list.map((one) => one.importance), 1e-9);
  const sum = list.reduce((all, one) => all + one.importance, 0);
  return (
    <PlotCard title="Importance" says={saysImportance(list)}>
      {sum > 0 ? (
        <ul className="importances">
          {list.map((one) => (
            <li key={one.parameter}>
              {onPick ? (
                <button type="button" className="link clip" title={`Look at ${one.parameter}`} onClick={() => onPick(one.parameter)}>
                  {one.parameter}
                </button>
              ) : (
                <span className="clip" title={one.parameter}>{one.parameter}</span>
              )}
              <span className="importance-track" aria-hidden>
                <span style={{ width: `${(100 * one.importance) / most}%` }} />
              </span>
              <span className="num small right">{Math.round((100 * one.importance) / sum)} %</span>
            </li>
          ))}
        </ul>
      ) : (
        <Empty small title="Not known yet" />
      )}
    </PlotCard>
  );
}

/** Parameters, the most important first; those of which nothing is known keep their order. */
export function useByImportance(view: View): Field[] {
  const known = useImportances(view).data;
  return useMemo(() => {
    const share = new Map((known ?? []).map((one) => [`p.${one.parameter}`, one.importance]));
    return [...view.fields.parameters].sort((a, b) => (share.get(b.id) ?? -1) - (share.get(a.id) ?? -1));
  }, [known, view.fields]);
}

const FEW_SLICES = 6;

export function Slices({ view }: { view: View }) {
  const all = useByImportance(view);
  const [every, setEvery] = useState(false);
  const objective = view.fields.objectives[0] as Field;
  const shown = every ? all : all.slice(0, FEW_SLICES);
  return (
    <section aria-label="Slices" className="stack">
      <div className="row wrap">
        <h2 className="section-title">Each parameter by itself</h2>
        <RankLegend view={view} />
      </div>
      <div className="grid plots">
        {shown.map((field) => (
          <Slice key={field.id} view={view} field={field} objective={objective} />
        ))}
      </div>
      {all.length > shown.length ? (
        <div>
          <Button onClick={() => setEvery(true)}>Show the other {all.length - shown.length}</Button>
        </div>
      ) : null}
    </section>
  );
}

function Slice({ view, field, objective }: { view: View; field: Field; objective: Field }) {
  const says = useMemo(() => saysSlice(view.study, field, objective), [view.study, field, objective]);
  return (
    <PlotCard title={field.label} says={says}>
      <Scatter ranked view={view} x={field} y={objective} height={210} label={`${view.metric} by ${field.label}: ${says}`} />
    </PlotCard>
  );
}

const MOST_POINTS = 1200;
const GRID: [number, number] = [56, 40];
const asText = (field: Field, place: number) => field.text(field.scale === 'choice' ? Math.round(valueAt(field, place)) : Number(valueAt(field, place).toPrecision(3)));

/** Two parameters at once: what can be expected between the trials, and every trial by its rank. */
export function Pairs({ view }: { view: View }) {
  const all = useByImportance(view);
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const x = all.find((f) => f.id === first) ?? all[0];
  const y = all.find((f) => f.id === second && f.id !== x?.id) ?? all.find((f) => f.id !== x?.id);
  if (!x || !y) return null;
  return (
    <section className="stack" aria-label="Two parameters">
      <div className="row wrap">
        <h2 className="section-title">Two parameters together</h2>
        <FieldChoice label="Across" value={x.id} fields={all} onChange={setFirst} />
        <FieldChoice label="Up" value={y.id} fields={all.filter((f) => f.id !== x.id)} onChange={setSecond} />
        <RankLegend view={view} />
      </div>
      <div className="grid plots two">
        <Contour view={view} x={x} y={y} />
        <Ranks view={view} x={x} y={y} />
      </div>
    </section>
  );
}

export function FieldChoice({ label, value, fields, onChange }: { label: string; value: string; fields: Field[]; onChange: (id: string) => void }) {
  return (
    <label className="row small soft">
      {label}
      <select className="select auto" value={value} onChange={(e) => onChange(e.target.value)}>
        {fields.map((field) => (
          <option key={field.id} value={field.id}>
            {field.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Contour({ view, x, y }: { view: View; x: Field; y: Field }) {
  const { trials, ranks } = view;
  const grid = useMemo(() => {
    const points = sampled(trials.count, MOST_POINTS, (i) => Number.isFinite(ranks[i]) && Number.isFinite(x.values[i]) && Number.isFinite(y.values[i]));
    return surface(points.map((i) => ({ x: placeOf(x, x.values[i] as number), y: placeOf(y, y.values[i] as number), rank: ranks[i] as number })), ...GRID);
  }, [trials, ranks, x, y]);
  const says = useMemo(() => saysSurface(grid, x, y, asText), [grid, x, y]);
  const draw = useCallback(
    (pen: Pen) => {
      const [wide, tall] = [(pen.box.right - pen.box.left) / grid.columns, (pen.box.bottom - pen.box.top) / grid.rows];
      grid.cells.forEach((rank, i) => {
        if (!Number.isFinite(rank)) return;
        const [column, row] = [i % grid.columns, Math.floor(i / grid.columns)];
        pen.ctx.fillStyle = pen.tones[toneOf(rank)] as string;
        pen.ctx.fillRect(pen.box.left + column * wide, pen.box.bottom - (row + 1) * tall, wide + 0.6, tall + 0.6);
      });
    },
    [grid],
  );
  return (
    <PlotCard title="Contour" says={says} note="Smoothed between trials; blank where no trial is near.">
      <Plot label={`Contour of ${view.metric} over ${x.label} and ${y.label}: ${says}`} x={x} y={y} draw={draw} onBrush={(from, to) => view.brush([{ field: x.id, low: valueAt(x, from.x), high: valueAt(x, to.x) }, { field: y.id, low: valueAt(y, from.y), high: valueAt(y, to.y) }])} />
    </PlotCard>
  );
}

function Ranks({ view, x, y }: { view: View; x: Field; y: Field }) {
  const says = useMemo(() => saysRank(view.study, view.trials, x, y), [view.study, view.trials, x, y]);
  return (
    <PlotCard title="Rank" says={says} note="Every complete trial, coloured by its place among all.">
      <Scatter ranked view={view} x={x} y={y} label={`Rank of trials over ${x.label} and ${y.label}: ${says}`} />
    </PlotCard>
  );
}

