import { useQuery } from '@tanstack/react-query';
import { ChartLine } from '@/ui/icons';
import { useMemo } from 'react';
import type { clusterSeries } from '@/api/telemetry';
import { Chart, type Unit } from '@/ui/chart';
import { Card } from '@/ui/page';
import { Empty, Failed, Skeleton } from '@/ui/state';

const NAMES: Record<string, string> = {
  ALLOCATED_GPU: 'in use',
  TOTAL_GPU: 'all',
  UNALLOCATED_GPU: 'free',
  GPU_QUOTA: 'quota',
  GPU_UTILIZATION: 'busy',
  GPU_MEMORY_UTILIZATION: 'memory',
  CPU_UTILIZATION: 'busy',
  CPU_MEMORY_UTILIZATION: 'memory',
  AVG_WORKLOAD_WAIT_TIME: 'seconds waited',
};

export default function SeriesCard({ title, query, unit }: { title: string; query: ReturnType<typeof clusterSeries>; unit: Unit }) {
  const answer = useQuery(query);
  const series = useMemo(
    () =>
      (answer.data ?? [])
        .filter((m) => m.values?.some((v) => v.timestamp))
        .map((m) => ({ label: NAMES[m.type] ?? m.type.toLowerCase(), points: (m.values ?? []).map((v) => [Date.parse(v.timestamp ?? '') / 1000, Number(v.value)] as [number, number]) })),
    [answer.data],
  );
  return (
    <Card title={title}>
      {answer.isPending ? (
        <Skeleton lines={5} />
      ) : answer.isError ? (
        <Failed small error={answer.error} what={title.toLowerCase()} />
      ) : series.length === 0 ? (
        <Empty small title="Nothing measured yet" icon={<ChartLine size={20} />} />
      ) : (
        <Chart label={title} series={series} unit={unit} />
      )}
    </Card>
  );
}
