// One metric of one or several runs as a chart.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { RunSeries } from '@/api/runs';
import { useStore } from '@/lib/store';
import { theme } from '@/lib/theme';
import { absolute, duration, mark } from '@/lib/time';
import { aligned, lineOf, type LineLook } from '@/pages/runs/lines';
import { number } from '@/pages/runs/values';

export interface NamedSeries {
  label: string;
  /** Its place among the runs shown: the same colour and dashes in every chart. */
  index: number;
  series: RunSeries;
}

const COLORS = 5;
const DASHES: number[][] = [[], [6, 4], [2, 3], [8, 3, 2, 3]];
const HEIGHT = 210;

export const colorOf = (index: number) => `var(--chart-${(index % COLORS) + 1})`;
const dashOf = (index: number) => DASHES[Math.floor(index / COLORS) % DASHES.length];

const placeText = (look: LineLook, x: number) => (look.axis === 'step' ? `step ${number(x)}` : look.axis === 'time' ? absolute(x * 1000) : duration(x));

function xAxis(look: LineLook): Partial<uPlot.Axis> {
  if (look.axis === 'time') return {};
  return { values: (_, splits) => splits.map((x) => (look.axis === 'step' ? short(x) : mark(x))) };
}

/** Steps of a long training stay short: 1.2M. */
function short(x: number): string {
  const size = Math.abs(x);
  if (size >= 1e9) return `${number(x / 1e9)}G`;
  if (size >= 1e6) return `${number(x / 1e6)}M`;
  return size >= 1e4 ? `${number(x / 1e3)}k` : number(x);
}

function lineSeries(lines: NamedSeries[], color: (name: string) => string, faint: boolean): uPlot.Series[] {
  return lines.map(({ label, index, series }) => ({
    label,
    stroke: `${color(`--chart-${(index % COLORS) + 1}`)}${faint ? '40' : ''}`,
    width: faint ? 1 : 1.6,
    dash: dashOf(index),
    spanGaps: true,
    points: { show: series.values.length < 3 },
    value: (_: uPlot, v: number | null) => (v === null || v === undefined ? '–' : number(v)),
  }));
}

function options(lines: NamedSeries[], look: LineLook, width: number, height: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis: uPlot.Axis = { stroke: color('--ink-3'), grid: { stroke: color('--border'), width: 1 }, ticks: { show: false }, font: `11px ${color('--font')}` };
  return {
    width,
    height,
    padding: [10, 12, 0, 0],
    cursor: { drag: { x: true, y: false }, sync: { key: `runs-${look.axis}` }, focus: { prox: 24 } },
    focus: { alpha: 0.35 },
    legend: { live: true },
    scales: { x: { time: look.axis === 'time' }, y: look.log ? { distr: 3 } : {} },
    axes: [
      { ...axis, size: 30, ...xAxis(look) },
      { ...axis, size: 62, values: (_, values) => values.map((v) => (v === null ? '' : number(v))) },
    ],
    series: [
      { label: '', value: (_, x: number | null) => (x === null ? '' : placeText(look, x)) },
      // What was logged shines through where it is smoothed.
      ...(look.smoothing > 0 ? lineSeries(lines, color, true).map((s) => ({ ...s, class: 'run-raw' })) : []),
      ...lineSeries(lines, color, false),
    ],
  };
}

function dataOf(lines: NamedSeries[], look: LineLook): uPlot.AlignedData {
  const shown = lines.map((line) => lineOf(line.series, look));
  const raw = look.smoothing > 0 ? lines.map((line) => lineOf(line.series, { ...look, smoothing: 0 })) : [];
  return aligned([...raw, ...shown]);
}

export function RunChart({ lines, look, label, height = HEIGHT }: { lines: NamedSeries[]; look: LineLook; label: string; height?: number }) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shown = useStore(theme);
  const { axis, smoothing, log } = look;
  const shape = lines.map((line) => `${line.index} ${line.label}`).join('\n');
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    plot.current = new uPlot(options(lines, { axis, smoothing, log }, element.clientWidth, height), dataOf(lines, { axis, smoothing, log }), element);
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape, axis, smoothing, log, shown, height]); // eslint-disable-line
  // New points of the same lines are drawn without building the chart again.
  useEffect(() => plot.current?.setData(dataOf(lines, { axis, smoothing, log })), [lines, axis, smoothing, log]);
  return <div ref={box} className={`chart run-chart ${lines.length > 1 || smoothing > 0 ? '' : 'lone'} ${smoothing > 0 ? 'smoothed' : ''}`} role="img" aria-label={label} />;
}
