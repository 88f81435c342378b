// A line without axes: how something went, beside its newest value.
interface SparkProps {
  label: string;
  points: [seconds: number, value: number][];
  /** The top of the scale; the largest value if it is not known. */
  most?: number;
}

const WIDTH = 120;
const HEIGHT = 28;

export function Spark({ label, points, most }: SparkProps) {
  const first = points[0]?.[0] ?? 0;
  const span = Math.max(1, (points.at(-1)?.[0] ?? 1) - first);
  const top = Math.max(most ?? 0, ...points.map(([, value]) => value)) || 1;
  const at = ([time, value]: [number, number]) => `${(((time - first) / span) * WIDTH).toFixed(1)},${(HEIGHT - 2 - (value / top) * (HEIGHT - 4)).toFixed(1)}`;
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <polyline points={points.map(at).join(' ')} fill="none" stroke="var(--chart-1)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
