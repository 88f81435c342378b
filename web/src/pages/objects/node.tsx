import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { engine, type Gpu } from '@/api/engine';
import { queries, useAllowed, type Node } from '@/api/queries';
import { bytes, percent, plural } from '@/lib/quantity';
import { DrainButton, DrainTimes, drainWords } from '@/pages/nodes/drain';
import { declaredGpus, isDrained, STATES, stateOf } from '@/pages/nodes/gpu-state';
import { GpuSquares } from '@/pages/nodes/grid';
import { EditLabels, LabelList } from '@/pages/objects/labels';
import { Badge } from '@/ui/badge';
import { Chart, type Series } from '@/ui/chart';
import { Segments } from '@/ui/field';
import { Server } from '@/ui/icons';
import { PersonLink } from '@/ui/links';
import { Card, Facts, Page } from '@/ui/page';
import { Phase } from '@/ui/phase';
import { Empty, Failed, Notice, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { FullTime, Time } from '@/ui/time';

export default function NodePage() {
  const { name = '' } = useParams();
  const nodes = useQuery(queries.nodes(name, 0, 50));
  const gpus = useQuery({ ...engine.gpus({ search: name, offset: 0, limit: 50 }), retry: false });
  const node = nodes.data?.nodes.find((one) => one.name === name);
  if (!node) {
    return (
      <Page title={name}>
        <div className="card card-body">
          {nodes.isPending ? <Skeleton lines={5} /> : nodes.isError ? <Failed error={nodes.error} what="this node" /> : <Empty title={`There is no node ${name}`} icon={<Server size={20} />} action={<Link className="button" to="/nodes">All nodes</Link>} />}
        </div>
      </Page>
    );
  }
  return <Loaded node={node} known={gpus.isSuccess} gpus={(gpus.data ?? []).filter((gpu) => gpu.node === name)} />;
}

function Loaded({ node, gpus, known }: { node: Node; gpus: Gpu[]; known: boolean }) {
  const allowed = useAllowed();
  const drained = isDrained(node);
  return (
    <Page
      title={node.name}
      heading={
        <div className="row wrap">
          <Server size={20} aria-hidden className="muted" />
          <h1 className="break">{node.name}</h1>
          {drained ? <Badge tone="wait">{drainWords(gpus)}</Badge> : null}
          {drained && node.status === 'Ready' ? null : <Phase phase={node.status} />}
          {node.simulated ? <Badge tone="accent">Simulated</Badge> : null}
        </div>
      }
      sub={
        <>
          Node of the pool <Link to={`/node-pools/${encodeURIComponent(node.nodePool)}`}>{node.nodePool}</Link>
        </>
      }
      actions={
        allowed('cluster', 'update') && node.id ? (
          <DrainButton node={node} drained={drained} gpus={known ? gpus : null} />
        ) : null
      }
    >
      {node.drain ? (
        <Notice tone="wait">
          <span className="strong">{node.drain.reason}</span> Drained by {node.drain.by}, <Time at={node.drain.since} />.
          <DrainTimes drain={node.drain} />
        </Notice>
      ) : null}
      {node.simulated ? <Notice>This machine is simulated: all figures of its use are invented.</Notice> : null}
      <div className="grid">
        <Card title="Machine" actions={allowed('cluster', 'update') && node.id ? <EditLabels node={node} /> : null}>
          <Facts
            rows={[
              ['GPUs', node.gpuInfo ? `${node.gpuInfo.gpuCount} × ${node.gpuInfo.gpuType}` : 'none'],
              ['GPU memory', node.gpuMemory ? bytes(node.gpuMemory) : null],
              ['CPU', node.cpuCores ? plural(node.cpuCores, 'core') : null],
              ['Memory', node.memory ? bytes(node.memory) : null],
              ['Labels', <LabelList key="l" labels={node.labels ?? {}} />],
              ['Known since', <FullTime key="t" at={node.createdAt} />],
            ]}
          />
        </Card>
        <Card title="Conditions">
          {(node.conditions ?? []).length === 0 ? (
            <p className="small muted">Nothing is reported.</p>
          ) : (
            <Facts rows={(node.conditions ?? []).map((c): [string, string] => [c.type, c.message || c.reason || ''])} />
          )}
        </Card>
      </div>
      <Card flush title="GPUs" actions={<GpuSquares gpus={known && gpus.length === 0 ? declaredGpus(node) : gpus} node={node} />}>
        {gpus.length === 0 ? <p className="card-body small muted">{node.gpuInfo ? 'An administrator has stated them; no engine tells about them.' : 'No GPU.'}</p> : <Table label="GPUs" columns={columnsOf(node)} rows={gpus} rowId={(g) => g.uuid} />}
      </Card>
      {node.id ? <Use id={node.id} /> : null}
    </Page>
  );
}

const measuredPercent = (value: number | null | undefined) => (value === null || value === undefined ? <span className="muted">not measured</span> : percent(value));

const columnsOf = (node: Node): Column<Gpu>[] => [
  { id: 'state', header: 'State', cell: (g) => STATES.find((s) => s.id === stateOf(g, node))?.label ?? '' },
  { id: 'work', header: 'Work', cell: (g) => <Holders gpu={g} /> },
  { id: 'people', header: 'By', cell: (g) => [...new Set(g.workloads.map((w) => w.userName))].map((name) => <PersonLink key={name} name={name} />) },
  { id: 'busy', header: 'Busy', right: true, cell: (g) => measuredPercent(g.busyPercent) },
  { id: 'memory', header: 'Memory used', right: true, cell: (g) => (g.used ? `${bytes(g.used)} of ${bytes(g.memory)}` : bytes(g.memory)) },
  { id: 'fault', header: 'Fault', cell: (g) => (g.fault ? <span className="field-error">{g.fault}</span> : <span className="muted">none</span>) },
  { id: 'uuid', header: 'Id', cell: (g) => <code className="tiny">{g.uuid}</code> },
];

function Holders({ gpu }: { gpu: Gpu }) {
  if (gpu.workloads.length === 0 && gpu.heldByOthers === 0) return <span className="muted">none</span>;
  return (
    <span className="stack none">
      {gpu.workloads.map((w) => (
        <Link key={w.id} className="strong" to={`/workloads/${w.id}`}>
          {w.name}
        </Link>
      ))}
      {gpu.heldByOthers > 0 ? <span className="small muted">in use by another project</span> : null}
    </span>
  );
}

const CHARTS: { title: string; type: string }[] = [
  { title: 'GPU utilisation', type: 'GPU_UTILIZATION' },
  { title: 'GPU memory', type: 'GPU_MEMORY_UTILIZATION' },
  { title: 'CPU', type: 'CPU_UTILIZATION' },
  { title: 'Memory', type: 'CPU_MEMORY_UTILIZATION' },
];
const HOURS = { '1h': 1, '24h': 24, '7d': 168 };
type Span = keyof typeof HOURS;

/** Use over time; a chart stands here only where something was measured. */
function Use({ id }: { id: string }) {
  const [span, setSpan] = useState<Span>('24h');
  const metrics = useQuery({
    queryKey: ['telemetry', 'node', id, span],
    queryFn: () => {
      const end = Date.now();
      const times = { start: new Date(end - HOURS[span] * 3_600_000).toISOString(), end: new Date(end).toISOString() };
      return api.get<Schemas['Measurements']>(`/api/v1/nodes/${id}/metrics`, { ...times, metricType: CHARTS.map((c) => c.type), numberOfSamples: 200 });
    },
    retry: false,
  });
  const seriesOf = (type: string): Series[] =>
    (metrics.data?.measurements ?? [])
      .filter((m) => m.type === type && (m.values ?? []).length > 0)
      .map((m) => ({ label: 'this node', points: (m.values ?? []).map((v): [number, number] => [Date.parse(v.timestamp ?? '') / 1000, Number(v.value)]) }));
  const shown = CHARTS.map((chart) => ({ ...chart, series: seriesOf(chart.type) }));
  return (
    <Card title="Use over time" actions={<Segments label="Period" value={span} onChange={setSpan} options={[['1h', '1 h'], ['24h', '24 h'], ['7d', '7 days']]} />}>
      {metrics.isPending ? (
        <Skeleton />
      ) : metrics.isError ? (
        <Failed small error={metrics.error} what="measurements" />
      ) : (
        <div className="grid even">
          {shown.map((chart) => (
            <div key={chart.type}>
              <h3 className="small">{chart.title}</h3>
              {chart.series.length > 0 ? <Chart label={chart.title} series={chart.series} unit="percent" /> : <p className="small muted">Not measured in this period.</p>}
            </div>
          ))}
        </div>
      )}
    </Card>
  );
}
