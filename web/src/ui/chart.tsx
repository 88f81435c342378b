import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { bytes, trim } from '@/lib/quantity';
import { absolute, duration } from '@/lib/time';
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
  count: (v) => trim(v, 2),
  duration: (v) => duration(v),
};

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

/** Times on the axis: of one day or two by the clock, else by the day. */
function times(_: uPlot, splits: number[]): string[] {
  const span = (splits.at(-1) ?? 0) - (splits[0] ?? 0);
  const look = span > LONG ? DAY : CLOCK;
  return splits.map((s) => look.format(s * 1000));
}

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
    legend: { live: true },
    scales: {
      x: range ? { range } : {},
      y: unit === 'percent' ? { range: [0, 100] } : { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [{ ...axis, values: times, size: 30 }, { ...axis, size: unit === 'duration' ? 76 : 54, values: (_, values) => values.map((v) => format[unit](v)) }],
    series: [
      { label: '', value: (_, v: number | null) => (v === null ? '' : absolute(v * 1000)) },
      ...series.map((s, i) => ({
        label: s.label,
        stroke: color(`--chart-${(i % 5) + 1}`),
        width: 1.6,
        spanGaps: true,
        points: { show: s.points.length < 2 },
        value: (_: uPlot, v: number | null) => (v === null ? '–' : format[unit](v)),
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
