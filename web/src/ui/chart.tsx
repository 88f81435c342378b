import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { bytes, trim } from '@/lib/quantity';
import { absolute, duration, mark } from '@/lib/time';
import { useStore } from '@/lib/store';
import { theme } from '@/lib/theme';

export interface Series {
  label: string;
  points: [seconds: number, value: number][];
}
export type Unit = 'percent' | 'bytes' | 'count' | 'duration';

const format: Record<Unit, (value: number) => string> = {
  percent: (v) => `${trim(v, 1)} %`,
  bytes: (v) => bytes(v),
  // A little is not nothing.
  count: (v) => (v !== 0 && Math.abs(v) < 0.01 ? String(Number(v.toPrecision(1))) : trim(v, 2)),
  duration: (v) => duration(v),
};

// Round steps of a scale, so that no two of its marks read the same.
const MINUTES = [1, 2, 5, 10, 15, 30].map((n) => n * 60);
const HOURS = [1, 2, 3, 6, 12].map((n) => n * 3600);
const DAYS = [1, 2, 5, 10, 20, 50, 100].map((n) => n * 86_400);
const STEPS = [1, 2, 5, 10, 15, 30, ...MINUTES, ...HOURS, ...DAYS];
const POWERS = Array.from({ length: 50 }, (_, power) => 2 ** power);
const SHORTEST_SCALE = 5;

const steps: Partial<Record<Unit, number[]>> = { duration: STEPS, bytes: POWERS };

function digitsOf(step: number): number {
  const whole = (digits: number) => Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6;
  return [0, 1, 2, 3, 4, 5].find(whole) ?? 6;
}

function markOf(unit: Unit, value: number, step: number): string {
  if (unit === 'duration') return mark(value);
  // As many digits as it takes to tell neighbours apart.
  return unit === 'count' ? trim(value, digitsOf(step)) : format[unit](value);
}

function valueScale(unit: Unit): uPlot.Scale {
  if (unit === 'percent') return { range: [0, 100] };
  const least = unit === 'duration' ? SHORTEST_SCALE : unit === 'bytes' ? 1024 : 0;
  return { range: (_, __, max) => [0, Math.max(least, max > 0 ? max * 1.1 : 1)] };
}

/** Series with different times, put on one axis. */
export function align(series: Series[]): uPlot.AlignedData {
  const times = [...new Set(series.flatMap((s) => s.points.map(([t]) => t)))].sort((a, b) => a - b);
  const at = new Map(times.map((t, i) => [t, i]));
  const rows = series.map((s) => {
    const row: (number | null)[] = new Array<null>(times.length).fill(null);
    for (const [t, v] of s.points) row[at.get(t) as number] = v;
    return row;
  });
  return [times, ...rows];
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const HEIGHT = 170;
const LONG = 36 * 3600;
const SHORT = 5 * 60;
const SECONDS = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** Times on the axis: of one day or two by the clock, else by the day. */
function times(_: uPlot, splits: number[]): string[] {
  const span = (splits.at(-1) ?? 0) - (splits[0] ?? 0);
  const look = span > LONG ? DAY : span < SHORT ? SECONDS : CLOCK;
  return splits.map((s) => look.format(s * 1000));
}

/** Where nothing is pointed at, the newest value. */
export function legendValue(row: uPlot.AlignedData[number] | undefined, value: number | null, at: number | null, unit: Unit): string {
  const shown = value ?? (at === null ? [...(row ?? [])].findLast((one) => one !== null && one !== undefined) : null);
  return shown === null || shown === undefined ? '–' : format[unit](shown);
}

/** As much room at the left as the widest mark takes. */
const widthOf = (_: uPlot, marks: string[] | null) => 16 + 6.5 * Math.max(1, ...(marks ?? []).map((text) => text.length));

function options(series: Series[], unit: Unit, width: number, range?: Range): uPlot.Options {
  const look = getComputedStyle(document.documentElement);
  const color = (name: string) => look.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: color('--ink-3'),
    grid: { stroke: color('--border'), width: 1 },
    ticks: { show: false },
    font: `11px ${color('--font')}`,
  };
  return {
    width,
    height: HEIGHT,
    padding: [8, 8, 0, 0],
    cursor: { drag: { x: true, y: false }, sync: { key: 'gpuyard' } },
    legend: { live: true, markers: { fill: (_, i) => color(`--chart-${((i - 1) % 5) + 1}`) } },
    scales: {
      x: range ? { range } : {},
      y: valueScale(unit),
    },
    axes: [
      { ...axis, values: times, size: 30 },
      { ...axis, size: widthOf, ...(steps[unit] ? { incrs: steps[unit] } : {}), values: (_, values, __, ___, step) => values.map((v) => markOf(unit, v, step)) },
    ],
    series: [
      { label: '', value: (_, v: number | null) => (v === null ? '' : absolute(v * 1000)) },
      ...series.map((s, i) => ({
        label: s.label,
        stroke: color(`--chart-${(i % 5) + 1}`),
        width: 1.6,
        spanGaps: true,
        points: { show: s.points.length < 2 },
        value: (plot: uPlot, v: number | null, _: number, at: number | null) => legendValue(plot.data[i + 1], v, at, unit),
      })),
    ],
  };
}

/** The times it shows, in seconds; without them as far as the points go. */
export type Range = [from: number, to: number];

interface ChartProps {
  series: Series[];
  unit: Unit;
  label: string;
  range?: Range;
}

export function Chart({ series, unit, label, range }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useStore(theme);
  const [from, to] = range ?? [];
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = new uPlot(options(series, unit, element.clientWidth, from && to ? [from, to] : undefined), align(series), element);
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [series, unit, shown, from, to]);
  return <div ref={box} className="chart" role="img" aria-label={label} />;
}
