// One metric of one or several runs as a chart.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { RunSeries } from '@/api/runs';
import { useStore } from '@/lib/store';
import { theme } from '@/lib/theme';
import { absolute, duration, mark } from '@/lib/time';
import { aligned, bandOf, legendOf, lineOf, type DrawnLine, type HoursAt, type LineLook } from '@/pages/runs/lines';
import { byValue, number } from '@/pages/runs/values';

export interface NamedSeries {
  label: string;
  /** Its place among the runs shown: the same colour and dashes in every chart. */
  index: number;
  series: RunSeries;
  /** For an axis of GPU-hours. */
  hours?: HoursAt;
  /** Lines of one group are drawn as their mean and standard deviation. */
  group?: string;
}

const COLORS = 5;
const DASHES: number[][] = [[], [6, 4], [2, 3], [8, 3, 2, 3]];
const HEIGHT = 210;

export const colorOf = (index: number) => `var(--chart-${(index % COLORS) + 1})`;
const dashOf = (index: number) => DASHES[Math.floor(index / COLORS) % DASHES.length];

const placeText = (look: LineLook, x: number) => (look.axis === 'step' ? `step ${number(x)}` : look.axis === 'gpu' ? `${number(x)} GPU-hours` : look.axis === 'time' ? absolute(x * 1000) : duration(x));

function xAxis(look: LineLook): Partial<uPlot.Axis> {
  if (look.axis === 'time') return {};
  return { values: (_, splits) => splits.map((x) => (x === null ? '' : look.axis === 'relative' ? mark(x) : short(x))) };
}

/** Steps of a long training stay short: 1.2M. */
function short(x: number): string {
  const size = Math.abs(x);
  if (size >= 1e9) return `${number(x / 1e9)}G`;
  if (size >= 1e6) return `${number(x / 1e6)}M`;
  return size >= 1e4 ? `${number(x / 1e3)}k` : number(x);
}

/** What the chart draws, in the order of its data. */
interface Drawn {
  label: string;
  index: number;
  role: 'line' | 'raw' | 'edge';
  line: DrawnLine;
  dense: boolean;
}

function drawnLines(lines: NamedSeries[], look: LineLook): Drawn[] {
  const make = (role: Drawn['role'], smoothing: number) =>
    lines.map(({ label, index, series, hours }): Drawn => ({ label, index, role, line: lineOf(series, { ...look, smoothing }, hours), dense: series.values.length >= 3 }));
  // What was logged shines through where it is smoothed.
  return [...(look.smoothing > 0 ? make('raw', 0) : []), ...make('line', look.smoothing)];
}

/** For each group the upper and lower edge of its band, then its mean. */
function drawnBands(lines: NamedSeries[], look: LineLook): Drawn[] {
  const groups = [...new Set(lines.map((line) => line.group as string))].sort(byValue);
  return groups.flatMap((group, index): Drawn[] => {
    const members = lines.filter((line) => line.group === group);
    const { x, mean, low, high } = bandOf(members.map((line) => lineOf(line.series, look, line.hours)));
    const one = { index, label: `${group || 'without a value'} (${members.length})`, dense: x.length >= 3 };
    return [
      { ...one, role: 'edge', line: { x, y: high } },
      { ...one, role: 'edge', line: { x, y: low } },
      { ...one, role: 'line', line: { x, y: mean } },
    ];
  });
}

const drawn = (lines: NamedSeries[], look: LineLook) => (lines.some((line) => line.group !== undefined) ? drawnBands(lines, look) : drawnLines(lines, look));

const FAINT = { line: '', raw: '40', edge: '00' };

function seriesOf({ label, index, role, dense }: Drawn, color: (name: string) => string): uPlot.Series {
  return {
    label,
    stroke: `${color(`--chart-${(index % COLORS) + 1}`)}${FAINT[role]}`,
    width: role === 'line' ? 1.6 : 1,
    dash: dashOf(index),
    spanGaps: true,
    points: { show: role === 'line' && !dense },
    value: (plot: uPlot, v: number | null, line: number, at: number | null) => ((shown) => (shown === null ? '–' : number(shown)))(legendOf(plot.data[line] as (number | null)[] | undefined, v, at)),
    ...(role === 'line' ? {} : { class: 'run-raw' }),
  };
}

function bandsIn(list: Drawn[], color: (name: string) => string): uPlot.Band[] {
  return list.flatMap((one, i) => (one.role === 'edge' && list[i + 1]?.role === 'edge' ? [{ series: [i + 1, i + 2] as uPlot.Band['series'], fill: `${color(`--chart-${(one.index % COLORS) + 1}`)}30` }] : []));
}

function options(list: Drawn[], look: LineLook, width: number, height: number): uPlot.Options {
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
    scales: { x: { time: look.axis === 'time', ...(look.logX ? { distr: 3 as const } : {}) }, y: look.log ? { distr: 3 } : {} },
    axes: [
      { ...axis, size: 30, ...xAxis(look) },
      { ...axis, size: 62, values: (_, values) => values.map((v) => (v === null ? '' : number(v))) },
    ],
    series: [{ label: '', value: (_, x: number | null) => (x === null ? '' : placeText(look, x)) }, ...list.map((one) => seriesOf(one, color))],
    bands: bandsIn(list, color),
  };
}

const dataOf = (list: Drawn[]): uPlot.AlignedData => aligned(list.map((one) => one.line));

export function RunChart({ lines, look, label, height = HEIGHT }: { lines: NamedSeries[]; look: LineLook; label: string; height?: number }) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shown = useStore(theme);
  const { axis, smoothing, log, logX } = look;
  const shape = lines.map((line) => `${line.index} ${line.label} ${line.group ?? ''}`).join('\n');
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const list = drawn(lines, { axis, smoothing, log, logX });
    plot.current = new uPlot(options(list, { axis, smoothing, log, logX }, element.clientWidth, height), dataOf(list), element);
    const resize = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape, axis, smoothing, log, logX, shown, height]); // eslint-disable-line
  // New points of the same lines are drawn without building the chart again.
  useEffect(() => plot.current?.setData(dataOf(drawn(lines, { axis, smoothing, log, logX }))), [lines, axis, smoothing, log, logX]);
  return <div ref={box} className={`chart run-chart ${lines.length > 1 ? '' : 'lone'}`} role="img" aria-label={label} />;
}
