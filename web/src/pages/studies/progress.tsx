// How the search went: history, distribution, timeline, rungs.
import { useCallback, useMemo } from 'react';
import { plural } from '@/lib/quantity';
import { duration, mark } from '@/lib/time';
import { placeOf, sortedFinite, signOf, type Field } from '@/pages/studies/fields';
import { saysDistribution, saysHistory, saysRungs, saysTimeline } from '@/pages/studies/insight';
import { Plot, type Box, type Found, type Pen } from '@/pages/studies/plot';
import { Scatter, StateLegend } from '@/pages/studies/scatter';
import { distribution, improvements, lanesOf, resultsOf, rungsOf } from '@/pages/studies/sums';
import { PlotCard } from '@/pages/studies/parts';
import type { View } from '@/pages/studies/view';
import { Bar } from '@/ui/bar';

export function History({ view }: { view: View }) {
  const { study, trials, fields } = view;
  const says = useMemo(() => saysHistory(study, trials), [study, trials]);
  const steps = useMemo(() => improvements(resultsOf(trials, 0), signOf(study, 0)), [study.id, trials]); // eslint-disable-line
  const over = useCallback(
    ({ ctx, x, y, box, color }: Pen) => {
      if (steps.length === 0) return;
      ctx.strokeStyle = color('--ink');
      ctx.lineWidth = 1.8;
      ctx.beginPath();
      steps.forEach((one, i) => {
        const [px, py] = [x(placeOf(fields.number, one.at)), y(placeOf(fields.newest, one.mean))];
        if (i === 0) ctx.moveTo(px, py);
        else {
          ctx.lineTo(px, y(placeOf(fields.newest, steps[i - 1]?.mean ?? one.mean)));
          ctx.lineTo(px, py);
        }
      });
      ctx.lineTo(box.right, y(placeOf(fields.newest, steps.at(-1)?.mean ?? 0)));
      ctx.stroke();
    },
    [steps, fields],
  );
  return (
    <PlotCard title="History" says={says} legend={<><StateLegend view={view} /><ul className="plot-legend"><li><span className="swatch line" aria-hidden /> best so far</li></ul></>} note={cutNote(fields.newest)}>
      <Scatter view={view} x={fields.number} y={fields.newest} over={over} label={`History of ${view.metric}: ${says}`} />
    </PlotCard>
  );
}

export const cutNote = (field: Field) => (field.cut ? `Values far from most are drawn at the edge of ${field.label}.` : null);

const SHARE: Field = { id: 'share', label: 'Share of trials', values: new Float64Array(0), scale: 'linear', choices: [], low: 0, high: 1, cut: false, text: (v) => `${Math.round(100 * v)} %` };

export function Distribution({ view }: { view: View }) {
  const { study, trials, fields, mask } = view;
  const objective = fields.objectives[0] as Field;
  const says = useMemo(() => saysDistribution(study, trials), [study, trials]);
  const lines = useMemo(() => {
    const of = (wanted: (i: number) => boolean) => distribution(sortedFinite([...objective.values].filter((_, i) => wanted(i))), 400);
    return { all: of(() => true), chosen: mask ? of((i) => mask[i] === 1) : [] };
  }, [objective, mask]);
  const draw = useCallback(
    ({ ctx, x, y, color }: Pen) => {
      for (const [points, name, width] of [[lines.all, mask ? '--border-strong' : '--chart-1', 1.6], [lines.chosen, '--chart-1', 2]] as const) {
        ctx.strokeStyle = color(name);
        ctx.lineWidth = width;
        ctx.beginPath();
        let before = 0;
        points.forEach((p, i) => {
          const px = x(placeOf(objective, p.x));
          if (i === 0) ctx.moveTo(px, y(0));
          else ctx.lineTo(px, y(before));
          ctx.lineTo(px, y(p.share));
          before = p.share;
        });
        ctx.stroke();
      }
    },
    [lines, objective, mask],
  );
  return (
    <PlotCard title="Distribution of results" says={says} note={cutNote(objective)} legend={mask ? <ul className="plot-legend"><li><span className="swatch" style={{ background: 'var(--chart-1)' }} aria-hidden /> selected</li><li><span className="swatch" style={{ background: 'var(--border-strong)' }} aria-hidden /> all</li></ul> : null}>
      <Plot label={`Share of trials up to each ${view.metric}: ${says}`} x={objective} y={SHARE} draw={draw} onBrush={(from, to) => view.brush([rangeOf(objective, from.x, to.x)])} />
    </PlotCard>
  );
}

function rangeOf(field: Field, low: number, high: number) {
  const at = (place: number) => Number((field.low + (field.high - field.low) * place).toPrecision(5));
  return { field: field.id, low: at(low), high: at(high) };
}

const COLORS: Record<string, string> = { C: '--chart-1', P: '--chart-3', F: '--bad', R: '--chart-2' };

export function Timeline({ view }: { view: View }) {
  const { study, trials, mask } = view;
  const now = useMemo(() => Date.now(), [trials]); // eslint-disable-line
  const says = useMemo(() => saysTimeline(study, trials, now), [study, trials, now]);
  const { lanes, count } = useMemo(() => lanesOf(trials, now), [trials, now]);
  const [from, to] = useMemo(() => spanOf(trials.started, trials.ended, now), [trials, now]);
  const time = useMemo<Field>(() => ({ id: 'time', label: 'Time since the study began', values: trials.started, scale: 'duration', choices: [], low: 0, high: Math.max(1, (to - from) / 1000), cut: false, text: (v) => mark(v) }), [trials, from, to]);
  const height = Math.max(120, Math.min(420, 60 + count * 12));
  const draw = useCallback(
    ({ ctx, box, x, color }: Pen) => {
      const tall = (box.bottom - box.top) / count;
      for (let i = 0; i < trials.count; i++) {
        const [start, end] = [x(((trials.started[i] as number) - from) / (to - from || 1)), x(((Number.isFinite(trials.ended[i]) ? (trials.ended[i] as number) : now) - from) / (to - from || 1))];
        ctx.globalAlpha = mask && mask[i] !== 1 ? 0.15 : 1;
        ctx.fillStyle = color(COLORS[trials.states[i] ?? 'F'] ?? '--bad');
        ctx.fillRect(start, box.top + (lanes[i] as number) * tall, Math.max(1, end - start - 0.5), Math.max(1, tall - 1));
      }
      ctx.globalAlpha = 1;
    },
    [trials, lanes, count, from, to, now, mask],
  );
  const at = (px: number, py: number, box: Box): Found | null => {
    const moment = from + ((px - box.left) / (box.right - box.left)) * (to - from);
    const lane = Math.floor(((py - box.top) / (box.bottom - box.top)) * count);
    for (let i = trials.count - 1; i >= 0; i--) {
      const end = Number.isFinite(trials.ended[i]) ? (trials.ended[i] as number) : now;
      if (lanes[i] === lane && (trials.started[i] as number) <= moment && moment <= end) return { trial: i, x: px, y: py, text: `Trial ${i}: ${duration((end - (trials.started[i] as number)) / 1000)}` };
    }
    return null;
  };
  return (
    <PlotCard title="Timeline" says={says} legend={<TimelineLegend view={view} />}>
      <Plot label={`When trials ran: ${says}`} height={height} room={{ left: 12 }} x={time} draw={draw} at={at} onPick={view.open} />
    </PlotCard>
  );
}

function spanOf(started: Float64Array, ended: Float64Array, now: number): [number, number] {
  let [from, to] = [Infinity, -Infinity];
  for (let i = 0; i < started.length; i++) {
    from = Math.min(from, started[i] as number);
    to = Math.max(to, Number.isFinite(ended[i]) ? (ended[i] as number) : now);
  }
  return from <= to ? [from, to] : [now - 1000, now];
}

function TimelineLegend({ view }: { view: View }) {
  const words: [string, string][] = [['C', 'complete'], ['P', 'pruned'], ['R', 'running'], ['F', 'failed']];
  return (
    <ul className="plot-legend" aria-label="Colours">
      {words.filter(([letter]) => (view.counts[letter] ?? 0) > 0).map(([letter, word]) => (
        <li key={letter}>
          <span className="swatch" style={{ background: `var(${COLORS[letter]})` }} aria-hidden /> {word} ({view.counts[letter]?.toLocaleString('en')})
        </li>
      ))}
    </ul>
  );
}

export function Rungs({ view }: { view: View }) {
  const { study, trials } = view;
  const rungs = useMemo(() => rungsOf(study, trials), [study.id, trials]); // eslint-disable-line
  const most = rungs[0]?.reached ?? 0;
  if (!study.spec.pruner || study.spec.pruner.type === 'none') return null;
  return (
    <PlotCard title="Rungs" says={saysRungs(study, trials)} legend={<ul className="plot-legend"><li><span className="swatch" style={{ background: 'var(--chart-1)' }} aria-hidden /> went on</li><li><span className="swatch" style={{ background: 'var(--chart-3)' }} aria-hidden /> stopped before the next rung</li></ul>}>
      <ol className="rungs">
        {rungs.map((rung) => (
          <li key={rung.step}>
            <button type="button" className="rung-step num" title="Select the trials that came this far" onClick={() => view.brush([{ field: 'steps', low: rung.step, high: Number.MAX_SAFE_INTEGER }])}>
              step {rung.step.toLocaleString('en')}
            </button>
            <Bar label={`${plural(rung.reached, 'trial')} came to step ${rung.step}, ${plural(rung.stopped, 'was', 'were')} stopped there`} total={most} segments={[{ label: 'on', value: rung.reached - rung.stopped, color: 'var(--chart-1)' }, { label: 'stopped', value: rung.stopped, color: 'var(--chart-3)' }]} />
            <span className="num small">
              {rung.reached.toLocaleString('en')} <span className="muted">of {trials.count.toLocaleString('en')}</span>
            </span>
          </li>
        ))}
      </ol>
    </PlotCard>
  );
}
