// Parallel coordinates: one line for each trial through all parameters to its result.
import { useCallback, useMemo, useRef, useState, type PointerEvent } from 'react';
import { sampled } from '@/api/trials';
import { marks, placeOf, type Field } from '@/pages/studies/fields';
import { saysParallel } from '@/pages/studies/insight';
import { PlotCard } from '@/pages/studies/parts';
import { between, fitted, line, Plot, toneOf, type Pen } from '@/pages/studies/plot';
import { RankLegend } from '@/pages/studies/scatter';
import { useByImportance } from '@/pages/studies/space';
import type { View } from '@/pages/studies/view';

const MOST_AXES = 10;
const MOST_LINES = 1500;
const SIDE = 34;
const TOP = 34;
const HEIGHT = 320;

function drawAxis({ ctx, box, color, y }: Pen, field: Field, at: number, wide: number, sooner: boolean): void {
  ctx.strokeStyle = color('--border-strong');
  ctx.lineWidth = 1;
  line(ctx, at, box.top, at, box.bottom);
  ctx.font = `11px ${color('--font')}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = sooner ? 'right' : 'left';
  for (const value of marks(field, 5)) {
    const place = y(placeOf(field, value));
    const text = fitted(ctx, field.text(value), wide - 14);
    // A plate keeps the marks readable over the lines.
    ctx.fillStyle = color('--surface');
    ctx.globalAlpha = 0.8;
    const size = ctx.measureText(text).width;
    ctx.fillRect(sooner ? at - size - 7 : at + 3, place - 7, size + 4, 14);
    ctx.globalAlpha = 1;
    ctx.fillStyle = color('--ink-2');
    ctx.fillText(text, sooner ? at - 5 : at + 5, place);
  }
  ctx.fillStyle = color('--ink');
  ctx.textAlign = sooner ? 'right' : 'center';
  ctx.fillText(fitted(ctx, field.label, wide - 8), sooner ? at + SIDE - 4 : at, box.top - 18);
}

/** Which lines are drawn: of very many a part, evenly, and those that are selected first of all. */
export function linesOf(view: View): { faint: number[]; strong: number[] } {
  const known = (i: number) => Number.isFinite(view.ranks[i]);
  if (!view.mask) return { faint: [], strong: sampled(view.trials.count, MOST_LINES, known) };
  const inside = (i: number) => view.mask?.[i] === 1;
  return { faint: sampled(view.trials.count, MOST_LINES / 3, (i) => known(i) && !inside(i)), strong: sampled(view.trials.count, MOST_LINES, (i) => known(i) && inside(i)) };
}

function drawLines({ ctx, y }: Pen, axes: Field[], at: (axis: number) => number, trials: number[], style: (trial: number) => string): void {
  for (const trial of trials) {
    ctx.strokeStyle = style(trial);
    ctx.beginPath();
    let down = false;
    axes.forEach((field, axis) => {
      const value = field.values[trial] as number;
      // A parameter that does not exist in this trial is passed over.
      if (!Number.isFinite(value)) return;
      if (down) ctx.lineTo(at(axis), y(placeOf(field, value)));
      else ctx.moveTo(at(axis), y(placeOf(field, value)));
      down = true;
    });
    ctx.stroke();
  }
}

export function Parallel({ view }: { view: View }) {
  const { study, trials, fields, ranks } = view;
  const parameters = useByImportance(view);
  const axes = useMemo(() => [...parameters.slice(0, MOST_AXES - fields.objectives.length), ...fields.objectives], [parameters, fields]);
  const says = useMemo(() => saysParallel(study, trials, fields), [study, trials, fields]);
  const lines = useMemo(() => linesOf(view), [view]);
  const all = view.counts.C ?? 0;
  const draw = useCallback(
    (pen: Pen) => {
      const wide = (pen.box.right - pen.box.left) / Math.max(1, axes.length - 1);
      const at = (axis: number) => pen.box.left + axis * wide;
      pen.ctx.lineWidth = 1;
      pen.ctx.globalAlpha = 0.25;
      drawLines(pen, axes, at, lines.faint, () => pen.color('--border-strong'));
      pen.ctx.globalAlpha = lines.strong.length > 300 ? 0.45 : 0.75;
      const worstFirst = [...lines.strong].sort((a, b) => (ranks[b] as number) - (ranks[a] as number));
      drawLines(pen, axes, at, worstFirst, (i) => pen.tones[toneOf(ranks[i] as number)] as string);
      pen.ctx.globalAlpha = 1;
      axes.forEach((field, axis) => drawAxis(pen, field, at(axis), Math.min(wide, 150), axis === axes.length - 1));
    },
    [axes, lines, ranks],
  );
  const shown = lines.strong.length + lines.faint.length;
  const note = [
    shown < all ? `${shown.toLocaleString('en')} of ${all.toLocaleString('en')} lines are drawn, evenly chosen.` : '',
    parameters.length + fields.objectives.length > axes.length ? `The ${axes.length - fields.objectives.length} most important parameters are shown.` : '',
    'Draw along an axis to select.',
  ].filter(Boolean).join(' ');
  return (
    <PlotCard title="Parallel coordinates" says={says} legend={<RankLegend view={view} />} note={note}>
      <div className="plot-scroll" tabIndex={0} role="region" aria-label="Parallel coordinates">
        <AxisBrush axes={axes} view={view}>
          <Plot label={`Parallel coordinates of ${axes.length} columns: ${says}`} height={HEIGHT} room={{ left: SIDE, right: SIDE, top: TOP, bottom: 14 }} draw={draw} />
        </AxisBrush>
      </div>
    </PlotCard>
  );
}

/** Takes a drag along the nearest axis as a range of its field. */
function AxisBrush({ axes, view, children }: { axes: Field[]; view: View; children: React.ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ axis: number; from: number; to: number } | null>(null);
  const measure = (event: PointerEvent) => {
    const box = (frame.current as HTMLElement).getBoundingClientRect();
    const wide = (box.width - 2 * SIDE) / Math.max(1, axes.length - 1);
    const axis = Math.round((event.clientX - box.left - SIDE) / wide);
    return { axis: Math.min(axes.length - 1, Math.max(0, axis)), y: event.clientY - box.top, left: SIDE + axis * wide };
  };
  const place = (y: number) => Math.min(1, Math.max(0, (HEIGHT - 14 - y) / (HEIGHT - 14 - TOP)));
  const finish = () => {
    const field = drag ? axes[drag.axis] : undefined;
    if (drag && field && Math.abs(drag.from - drag.to) > 5) view.brush([between(field, place(Math.max(drag.from, drag.to)), place(Math.min(drag.from, drag.to)))]);
    setDrag(null);
  };
  const wide = frame.current ? (frame.current.clientWidth - 2 * SIDE) / Math.max(1, axes.length - 1) : 0;
  return (
    <div
      ref={frame}
      className="axis-brush"
      style={{ minWidth: axes.length * 74 }}
      onPointerDown={(event) => {
        if (event.button !== 0 || event.pointerType === 'touch') return;
        const { axis, y } = measure(event);
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ axis, from: y, to: y });
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: measure(event).y })}
      onPointerUp={finish}
      onPointerCancel={() => setDrag(null)}
    >
      {children}
      {drag && drag.from !== drag.to ? <span className="plot-brush" style={{ left: SIDE + drag.axis * wide - 10, width: 20, top: Math.min(drag.from, drag.to), height: Math.abs(drag.from - drag.to) }} /> : null}
    </div>
  );
}
