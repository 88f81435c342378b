import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { bytes, trim } from '@/lib/quantity';
import { duration } from '@/lib/time';
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

function options(series: Series[], unit: Unit, width: number): uPlot.Options {
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
    height: 190,
    cursor: { drag: { x: true, y: false }, sync: { key: 'gpuyard' } },
    legend: { live: true },
    scales: unit === 'percent' ? { y: { range: [0, 100] } } : { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [axis, { ...axis, size: 62, values: (_, values) => values.map((v) => format[unit](v)) }],
    series: [
      {},
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

export function Chart({ series, unit, label }: { series: Series[]; unit: Unit; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const shown = useStore(theme);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = new uPlot(options(series, unit, element.clientWidth), align(series), element);
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 190 }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [series, unit, shown]);
  return <div ref={box} className="chart" role="img" aria-label={label} />;
}
