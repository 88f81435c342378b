// How a running workload does: one line for each thing that is measured, and its ranks.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import type { Attempt } from '@/api/engine';
import type { WorkloadDetails } from '@/api/queries';
import { bytes, percent, trim } from '@/lib/quantity';
import { NodeLink } from '@/ui/links';
import { Card } from '@/ui/page';
import { Spark } from '@/ui/spark';
import { Table, type Column } from '@/ui/table';

const LINES: { type: string; label: string; show: (value: number) => string; most?: number }[] = [
  { type: 'GPU_UTILIZATION', label: 'GPU', show: (v) => percent(v), most: 100 },
  { type: 'GPU_MEMORY_USAGE_BYTES', label: 'GPU memory', show: (v) => bytes(v) },
  { type: 'CPU_USAGE_CORES', label: 'CPU cores', show: (v) => trim(v, 1) },
  { type: 'CPU_MEMORY_USAGE_BYTES', label: 'Memory', show: (v) => bytes(v) },
];
const MINUTES = 30;

/** The last half hour; nothing stands here for what nobody measures. */
export function UseNow({ workload: w }: { workload: WorkloadDetails }) {
  const metrics = useQuery({
    queryKey: ['workload', 'metrics', w.id, 'now'],
    queryFn: () => {
      const end = Date.now();
      const times = { start: new Date(end - MINUTES * 60_000).toISOString(), end: new Date(end).toISOString() };
      return api.get<Schemas['WorkloadMetrics']>(`/api/v1/workloads/${w.id}/metrics`, { ...times, metricType: LINES.map((line) => line.type), numberOfSamples: 60 });
    },
    retry: false,
    refetchInterval: 30_000,
  });
  const shown = LINES.flatMap((line) => {
    const found = metrics.data?.measurements?.find((m) => m.type === line.type && m.values.length > 1);
    const points = (found?.values ?? []).map((v): [number, number] => [Date.parse(v.timestamp ?? '') / 1000, Number(v.value)]);
    // Nothing uses no memory and no CPU at all: it was not measured.
    const measured = line.type === 'GPU_UTILIZATION' || points.some(([, value]) => value > 0);
    return points.length > 1 && measured ? [{ ...line, points, last: points.at(-1)?.[1] ?? 0 }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <Card title="Use, last 30 min" actions={<Link className="small" to={`/workloads/${w.id}?tab=metrics`}>Metrics</Link>}>
      <ul className="stack tight">
        {shown.map((line) => (
          <li key={line.type} className="spark-row small">
            <span className="muted">{line.label}</span>
            <Spark label={`${line.label} over the last ${MINUTES} minutes`} points={line.points} most={line.most} />
            <span className="num right strong">{line.show(line.last)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type Rank = { rank: number; node: string; gpus: string[] };

/** One line per rank of distributed work: where it runs, and its own log. */
export function Ranks({ workload: w, attempt }: { workload: WorkloadDetails; attempt: Attempt | undefined }) {
  const ranks = (attempt?.ranks ?? []).map((place, rank): Rank => ({ rank, ...place }));
  if (ranks.length < 2) return null;
  const columns: Column<Rank>[] = [
    { id: 'rank', header: 'Rank', cell: (r) => <span className="num">{r.rank}</span> },
    { id: 'node', header: 'Node', cell: (r) => <NodeLink name={r.node} /> },
    { id: 'gpus', header: 'GPUs', cell: (r) => <span className="mono tiny">{r.gpus.join(', ') || '–'}</span> },
    { id: 'log', header: 'Log', cell: (r) => <Link to={`/workloads/${w.id}?tab=logs&rank=${r.rank}`}>Log of rank {r.rank}</Link> },
  ];
  return (
    <Card flush title={`Ranks (${ranks.length})`}>
      <Table label="Ranks" columns={columns} rows={ranks} rowId={(r) => String(r.rank)} />
    </Card>
  );
}
