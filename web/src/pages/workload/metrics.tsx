import { useQuery } from '@tanstack/react-query';
import { ChartLine } from '@/ui/icons';
import { useMemo, useState } from 'react';
import { api, type Schemas } from '@/api/client';
import type { WorkloadDetails } from '@/api/queries';
import { isEnded, isRunning } from '@/pages/workloads/kinds';
import { Chart, type Range, type Series } from '@/ui/chart';
import { Segments } from '@/ui/field';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';

const GROUPS: { title: string; types: string[]; unit: 'percent' | 'bytes' | 'count' }[] = [
  { title: 'GPU busy', types: ['GPU_UTILIZATION', 'GPU_UTILIZATION_PER_GPU'], unit: 'percent' },
  { title: 'GPU memory', types: ['GPU_MEMORY_USAGE_BYTES', 'GPU_MEMORY_USAGE_BYTES_PER_GPU'], unit: 'bytes' },
  { title: 'CPU cores used', types: ['CPU_USAGE_CORES', 'CPU_REQUEST_CORES', 'CPU_LIMIT_CORES'], unit: 'count' },
  { title: 'Memory', types: ['CPU_MEMORY_USAGE_BYTES', 'CPU_MEMORY_REQUEST_BYTES', 'CPU_MEMORY_LIMIT_BYTES'], unit: 'bytes' },
];

/** The stream of changes does not tell of samples. */
const AGAIN = 30_000;

type Span = '15m' | '1h' | '6h' | 'all';
const SECONDS: Record<Exclude<Span, 'all'>, number> = { '15m': 900, '1h': 3600, '6h': 21600 };

function period(w: WorkloadDetails, span: Span): { start: string; end: string } {
  const end = isEnded(w.phase) ? Date.parse(w.completedAt ?? w.phaseUpdatedAt) : Date.now();
  const start = span === 'all' ? Date.parse(w.createdAt) : end - SECONDS[span] * 1000;
  return { start: new Date(Math.min(start, end - 60_000)).toISOString(), end: new Date(end).toISOString() };
}

const wordsOf = (type: string) => (/_REQUEST/.test(type) ? 'requested' : /_LIMIT/.test(type) ? 'at most' : /_PER_GPU/.test(type) ? 'GPU' : /MEMORY|CORES/.test(type) ? 'used' : 'busy');

/** A request of nothing is no line at 0, and nothing uses no memory at all: that was not measured. */
const neverZero = (type: string) => /_REQUEST|_LIMIT|MEMORY_USAGE|CPU_USAGE/.test(type);

function seriesOf(list: Schemas['Measurement'][], types: string[]): Series[] {
  return list
    .filter((m) => types.includes(m.type) && m.values.length > 0 && !(neverZero(m.type) && m.values.every((v) => Number(v.value) === 0)))
    .map((m) => ({
      label: [wordsOf(m.type), ...Object.values((m.labels ?? {}) as Record<string, string>)].join(' '),
      points: m.values.map((v) => [Date.parse(v.timestamp ?? '') / 1000, Number(v.value)] as [number, number]),
    }));
}

export default function Metrics({ workload }: { workload: WorkloadDetails }) {
  const [span, setSpan] = useState<Span>(isEnded(workload.phase) ? 'all' : '1h');
  const metrics = useQuery({
    queryKey: ['workload', 'metrics', workload.id, span],
    queryFn: () =>
      api.get<Schemas['WorkloadMetrics']>(`/api/v1/workloads/${workload.id}/metrics`, { ...period(workload, span), metricType: GROUPS.flatMap((g) => g.types), numberOfSamples: 240 }),
    retry: false,
    refetchInterval: isRunning(workload.phase) ? AGAIN : false,
  });
  // The whole period, also where only a part of it was measured.
  const range = useMemo((): Range => {
    const { start, end } = period(workload, span);
    return [Date.parse(start) / 1000, Date.parse(end) / 1000];
  }, [metrics.data, span]); // eslint-disable-line
  const charts = useMemo(() => GROUPS.map((g) => ({ ...g, series: seriesOf(metrics.data?.measurements ?? [], g.types) })).filter((g) => g.series.length > 0), [metrics.data]);
  const holdsGpus = (workload.workloadRequestedResources?.gpu?.request ?? 0) > 0;
  return (
    <div className="stack">
      <Segments label="Period" value={span} onChange={setSpan} options={[['15m', '15 min'], ['1h', '1 h'], ['6h', '6 h'], ['all', 'All']]} />
      {metrics.isPending ? (
        <Skeleton lines={5} />
      ) : metrics.isError ? (
        <Card><Failed small error={metrics.error} what="metrics" /></Card>
      ) : charts.length === 0 ? (
        <Card>
          <Empty small title="Nothing was measured in this period" icon={<ChartLine size={20} />}>
            Samples appear while it runs. GPUs that are only declared have none.
          </Empty>
        </Card>
      ) : (
        <div className="grid">
          {holdsGpus && !charts.some((c) => c.title.startsWith('GPU')) ? (
            <Card title="GPU busy">
              <Empty small title="The use of its GPUs is not measured" icon={<ChartLine size={20} />}>
                No driver measures these GPUs: they are declared, or the node has none.
              </Empty>
            </Card>
          ) : null}
          {charts.map((c) => (
            <Card key={c.title} title={c.title}>
              <Chart label={c.title} series={c.series} unit={c.unit} range={range} />
            </Card>
          ))}
        </div>
      )}
    </div>
  );
}
