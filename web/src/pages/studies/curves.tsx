// Intermediate values: how trials came to their results.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { goesOn, studies, type Trial } from '@/api/studies';
import { directionOf, extent, type Field } from '@/pages/studies/fields';
import { cutNote } from '@/pages/studies/progress';
import { saysCurves } from '@/pages/studies/insight';
import { PlotCard } from '@/pages/studies/parts';
import { Plot, toneOf, type Box, type Found, type Pen } from '@/pages/studies/plot';
import { placeOf } from '@/pages/studies/fields';
import { number } from '@/pages/runs/values';
import type { View } from '@/pages/studies/view';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';

const BEST = 60;
const NEWEST = 60;

/** The best and the newest trials, each once. */
function useTold(view: View) {
  const live = goesOn(view.study);
  const order = directionOf(view.study, 0) === 'maximize' ? 'desc' : 'asc';
  const best = useQuery(studies.reports(view.study.id, { filterBy: 'state==Complete', sortBy: 'value', sortOrder: order, limit: BEST }, live));
  const newest = useQuery(studies.reports(view.study.id, { sortBy: 'number', sortOrder: 'desc', limit: NEWEST }, live));
  const list = useMemo(() => {
    const all = [...(best.data ?? []), ...(newest.data ?? [])];
    return [...new Map(all.map((t) => [t.number, t])).values()].filter((t) => (t.reports?.length ?? 0) > 0);
  }, [best.data, newest.data]);
  return { list, pending: best.isPending || newest.isPending, error: best.error ?? newest.error };
}

const NEAR = 8;

function axesOf(view: View, list: Trial[]): [Field, Field] {
  const steps = extent(list.flatMap((t) => (t.reports ?? []).map((r) => r.step))) ?? [0, 1];
  const values = Float64Array.from(list.flatMap((t) => (t.reports ?? []).map((r) => (typeof r.value === 'number' ? r.value : NaN))));
  const base = view.fields.newest;
  const sorted = values.filter(Number.isFinite).sort();
  const low = sorted[Math.floor(sorted.length * 0.01)] ?? base.low;
  const high = sorted[Math.ceil((sorted.length - 1) * 0.99)] ?? base.high;
  const room = (high - low || 1) * 0.05;
  const x: Field = { ...view.fields.number, id: 'step', label: 'Step', low: steps[0], high: Math.max(steps[1], steps[0] + 1), cut: false, text: number };
  const cut = (sorted[0] ?? low) < low - room || (sorted[sorted.length - 1] ?? high) > high + room;
  return [x, { ...base, id: 'curve', low: low - room, high: high + room, cut }];
}

function drawCurve({ ctx, x, y }: Pen, trial: Trial, [across, up]: [Field, Field]): void {
  ctx.beginPath();
  let down = false;
  for (const { step, value } of trial.reports ?? []) {
    // A value that is no number leaves a gap.
    if (typeof value !== 'number') {
      down = false;
      continue;
    }
    const [px, py] = [x(placeOf(across, step)), y(placeOf(up, value))];
    if (down) ctx.lineTo(px, py);
    else ctx.moveTo(px, py);
    down = true;
  }
  ctx.stroke();
}

export function Curves({ view }: { view: View }) {
  const { list, pending, error } = useTold(view);
  const axes = useMemo(() => axesOf(view, list), [view.fields, list]); // eslint-disable-line
  const says = useMemo(() => saysCurves(view.study, list), [view.study, list]);
  const draw = useCallback(
    (pen: Pen) => {
      const place = (t: Trial) => (Number.isFinite(view.ranks[t.number]) ? (view.ranks[t.number] as number) : 2);
      const worstFirst = [...list].sort((a, b) => place(b) - place(a));
      for (const trial of worstFirst) {
        const inside = !view.mask || view.mask[trial.number] === 1;
        const rank = view.ranks[trial.number] as number;
        pen.ctx.globalAlpha = inside ? 0.9 : 0.12;
        pen.ctx.lineWidth = rank === 0 ? 2.4 : 1.2;
        pen.ctx.strokeStyle = trial.state === 'Pruned' ? pen.color('--chart-3') : trial.state === 'Running' ? pen.color('--chart-2') : Number.isFinite(rank) ? (pen.tones[toneOf(rank)] as string) : pen.color('--bad');
        drawCurve(pen, trial, axes);
      }
      pen.ctx.globalAlpha = 1;
    },
    [list, axes, view.ranks, view.mask],
  );
  const at = (px: number, py: number, box: Box): Found | null => nearestCurve(list, axes, px, py, box);
  if (pending) return <Card title="Intermediate values"><Skeleton lines={5} /></Card>;
  if (error) return <Card title="Intermediate values"><Failed small error={error} what="intermediate values" /></Card>;
  if (list.length === 0) return <Card title="Intermediate values"><Empty small title="None was reported">A trial that prints its metric with a step appears here, and can be stopped early by a pruner.</Empty></Card>;
  const legend = (
    <ul className="plot-legend" aria-label="Colours">
      <li><span className="swatch ramp" aria-hidden /> complete, best to worst</li>
      <li><span className="swatch" style={{ background: 'var(--chart-3)' }} aria-hidden /> pruned</li>
      <li><span className="swatch" style={{ background: 'var(--chart-2)' }} aria-hidden /> running</li>
    </ul>
  );
  const note = [view.trials.count > NEWEST ? `The best ${BEST} and the newest ${NEWEST} trials are drawn.` : '', cutNote(axes[1]) ?? ''].filter(Boolean).join(' ');
  return (
    <PlotCard title="Intermediate values" says={says} legend={legend} note={note || null}>
      <Plot height={320} label={`${view.metric} by step: ${says}`} x={axes[0]} y={axes[1]} draw={draw} at={at} onPick={view.open} />
    </PlotCard>
  );
}

function nearestCurve(list: Trial[], [across, up]: [Field, Field], px: number, py: number, box: Box): Found | null {
  let best: Found | null = null;
  let least = NEAR * NEAR;
  for (const trial of list) {
    for (const { step, value } of trial.reports ?? []) {
      if (typeof value !== 'number') continue;
      const [qx, qy] = [box.left + placeOf(across, step) * (box.right - box.left), box.bottom - placeOf(up, value) * (box.bottom - box.top)];
      const far = (qx - px) ** 2 + (qy - py) ** 2;
      if (far >= least) continue;
      least = far;
      best = { trial: trial.number, x: qx, y: qy, text: `Trial ${trial.number}, step ${step}: ${number(value)}` };
    }
  }
  return best;
}
