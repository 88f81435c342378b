// Trials as points between two fields, with linked brushing.
import { useCallback, useMemo } from 'react';
import { plural } from '@/lib/quantity';
import type { Field } from '@/pages/studies/fields';
import { placeOf } from '@/pages/studies/fields';
import { between, Plot, toneOf, type Box, type Found, type Pen } from '@/pages/studies/plot';
import type { View } from '@/pages/studies/view';

interface ScatterProps {
  view: View;
  x: Field;
  y: Field;
  label: string;
  height?: number;
  /** Colours by the rank of the first objective instead of by state. */
  ranked?: boolean;
  /** Drawn over the points. */
  over?: (pen: Pen) => void;
  under?: (pen: Pen) => void;
}

const STATE_COLORS: Record<string, string> = { C: '--chart-1', P: '--chart-3', F: '--bad', R: '--chart-2' };
const MANY = 4000;
const NEAR = 9;

/** Spreads points of a choice a little, always by the same amount for the same trial. */
const jitter = (field: Field, trial: number) => (field.scale === 'choice' ? (((trial * 7919) % 101) / 100 - 0.5) * 0.5 : 0);
const place = (field: Field, trial: number) => placeOf(field, (field.values[trial] as number) + jitter(field, trial));

function drawPoints(pen: Pen, view: View, x: Field, y: Field, ranked: boolean): void {
  const { ctx, color, tones } = pen;
  const size = view.trials.count > MANY ? 2.5 : 5;
  const inside = (i: number) => !view.mask || view.mask[i] === 1;
  const dot = (i: number) => ctx.fillRect(pen.x(place(x, i)) - size / 2, pen.y(place(y, i)) - size / 2, size, size);
  const known = (i: number) => Number.isFinite(x.values[i]) && Number.isFinite(y.values[i]);
  if (view.mask) {
    ctx.fillStyle = color('--ink-3');
    ctx.globalAlpha = 0.18;
    for (let i = 0; i < view.trials.count; i++) if (!inside(i) && known(i)) dot(i);
  }
  ctx.globalAlpha = view.trials.count > MANY ? 0.6 : 0.85;
  const groups: [string, (i: number) => boolean][] = ranked
    ? tones.map((tone, t): [string, (i: number) => boolean] => [tone, (i) => Number.isFinite(view.ranks[i]) && toneOf(view.ranks[i] as number) === t]).reverse()
    : Object.entries(STATE_COLORS).map(([letter, name]) => [color(name), (i) => view.trials.states[i] === letter]);
  for (const [fill, belongs] of groups) {
    ctx.fillStyle = fill;
    for (let i = 0; i < view.trials.count; i++) if (inside(i) && known(i) && belongs(i)) dot(i);
  }
  ctx.globalAlpha = 1;
}

export function Scatter({ view, x, y, label, height, ranked = false, over, under }: ScatterProps) {
  const draw = useCallback(
    (pen: Pen) => {
      under?.(pen);
      drawPoints(pen, view, x, y, ranked);
      over?.(pen);
    },
    [view, x, y, ranked, over, under],
  );
  const at = useMemo(() => nearest(view, x, y), [view, x, y]);
  return <Plot label={label} height={height} x={x} y={y} draw={draw} at={at} onPick={view.open} onBrush={(from, to) => view.brush([between(x, from.x, to.x), between(y, from.y, to.y)])} />;
}

function nearest(view: View, x: Field, y: Field) {
  return (px: number, py: number, box: Box): Found | null => {
    let best: Found | null = null;
    let least = NEAR * NEAR;
    for (let i = 0; i < view.trials.count; i++) {
      if (!Number.isFinite(x.values[i]) || !Number.isFinite(y.values[i])) continue;
      const [qx, qy] = [box.left + place(x, i) * (box.right - box.left), box.bottom - place(y, i) * (box.bottom - box.top)];
      const far = (qx - px) ** 2 + (qy - py) ** 2;
      if (far >= least) continue;
      least = far;
      best = { trial: i, x: qx, y: qy, text: `Trial ${i}: ${x.id === 'number' ? '' : `${x.label} ${x.text(x.values[i] as number)}, `}${y.label} ${y.text(y.values[i] as number)}` };
    }
    return best;
  };
}

/** The meaning of the colours; only states that are there. */
export function StateLegend({ view }: { view: View }) {
  const words: [string, string, string][] = [['C', 'complete', '--chart-1'], ['P', 'pruned, last value', '--chart-3'], ['R', 'running, last value', '--chart-2']];
  return (
    <ul className="plot-legend" aria-label="Colours">
      {words.map(([letter, word, name]) => {
        const count = view.counts[letter] ?? 0;
        return count > 0 ? (
          <li key={letter}>
            <span className="swatch" style={{ background: `var(${name})` }} aria-hidden /> {word} ({count.toLocaleString('en')})
          </li>
        ) : null;
      })}
      {(view.counts.F ?? 0) > 0 ? <li>{plural(view.counts.F ?? 0, 'failed trial')} without a value {view.counts.F === 1 ? 'is' : 'are'} not drawn</li> : null}
    </ul>
  );
}

export function RankLegend({ view }: { view: View }) {
  return (
    <ul className="plot-legend" aria-label="Colours">
      <li>best {view.metric}</li>
      <li className="plot-tones" aria-hidden>
        <span className="swatch ramp" />
      </li>
      <li>worst</li>
    </ul>
  );
}
