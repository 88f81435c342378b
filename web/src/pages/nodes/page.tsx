import { useQuery } from '@tanstack/react-query';
import { Server } from '@/ui/icons';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { isForbidden } from '@/api/client';
import { engine, type Gpu } from '@/api/engine';
import { queries, useAllowed, type Node } from '@/api/queries';
import { nodeNumber } from '@/api/telemetry';
import { PAGE_SIZES } from '@/lib/filter';
import { bytes, plural } from '@/lib/quantity';
import { DrainButton, DrainTimes, drainWords } from '@/pages/nodes/drain';
import { declaredGpus, isDrained, levelsOf, type ShownGpu } from '@/pages/nodes/gpu-state';
import { GpuSquares, Legend, PendingSquares } from '@/pages/nodes/grid';
import { Badge } from '@/ui/badge';
import { IsolationBadge } from '@/ui/isolation';
import { Pager, SearchBox, useListState } from '@/ui/list';
import { Page } from '@/ui/page';
import { Phase } from '@/ui/phase';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Time } from '@/ui/time';

/** The GPUs of the nodes in view, asked for beside the nodes themselves. */
function useGpusByNode(search: string, offset: number, limit: number): (node: Node) => ShownGpu[] | null {
  const gpus = useQuery({ ...engine.gpus({ search, offset, limit }), retry: false });
  return useMemo(() => {
    const byNode = new Map<string, Gpu[]>();
    for (const gpu of gpus.data ?? []) {
      const key = `${gpu.clusterId} ${gpu.node}`;
      const list = byNode.get(key);
      if (list) list.push(gpu);
      else byNode.set(key, [gpu]);
    }
    return (node) => byNode.get(`${node.clusterUuid} ${node.name}`) ?? (gpus.isPending ? null : declaredGpus(node));
  }, [gpus.data, gpus.isPending]);
}

export default function Nodes() {
  const [state, change] = useListState({ size: 50 });
  const text = state.search;
  const nodes = useQuery(queries.nodes(text, state.page * state.size, state.size));
  const count = nodes.data?.total;
  const gpusOf = useGpusByNode(text, state.page * state.size, state.size);
  const total = useQuery(nodeNumber('TOTAL_GPUS'));
  const all = nodes.data?.nodes ?? [];
  const gpus = total.data === null || total.data === undefined ? '' : `, ${plural(total.data, 'GPU')}`;
  return (
    <Page title="Nodes and GPUs" sub={count === undefined ? undefined : `${plural(count, 'node')}${text ? ' with this name' : gpus}`}>
      <div className="toolbar">
        <SearchBox label="Search nodes" value={text} onChange={(search) => change({ search })} />
        <span className="grow" />
        <Legend />
      </div>
      {nodes.isPending ? (
        <Skeleton lines={6} />
      ) : nodes.isError ? (
        <div className="card">
          <Failed error={nodes.error} what={isForbidden(nodes.error) ? 'nodes' : 'the nodes'} retry={() => void nodes.refetch()} />
        </div>
      ) : all.length === 0 ? (
        <div className="card">
          <Empty title={text ? 'No node has this name' : 'No node yet'} icon={<Server size={20} />}>
            {text ? null : 'The machine of the server is a node by itself once an engine is attached; others join with gpuyard up.'}
          </Empty>
        </div>
      ) : (
        <>
          <div className="node-cards">
            {all.map((node) => (
              <NodeCard key={node.id ?? node.name} node={node} gpus={gpusOf(node)} />
            ))}
          </div>
          {count !== undefined && count > Math.min(...PAGE_SIZES) ? (
            <section className="card">
              <Pager state={state} onChange={change} total={count} shown={all.length} />
            </section>
          ) : null}
        </>
      )}
    </Page>
  );
}

function NodeCard({ node, gpus }: { node: Node; gpus: ShownGpu[] | null }) {
  const allowed = useAllowed();
  const drained = isDrained(node);
  const problem = node.status === 'Ready' ? undefined : node.conditions?.find((c) => c.message && !/declared/i.test(c.type + c.reason));
  return (
    <article className="card node-card" aria-label={node.name}>
      <div className="row between">
        <h2 className="clip card-title" title={node.name}>
          <Link className="quiet-link" to={`/nodes/${encodeURIComponent(node.name)}`}>
            {node.name}
          </Link>
        </h2>
        <span className="row">
          {drained ? <Badge tone="wait">{drainWords(gpus ?? [])}</Badge> : null}
          {drained && node.status === 'Ready' ? null : <Phase phase={node.status} />}
        </span>
      </div>
      <div className="tiny muted clip">
        {[node.gpuInfo ? `${node.gpuInfo.gpuCount} × ${node.gpuInfo.gpuType}` : 'no GPU', node.gpuMemory ? bytes(node.gpuMemory) : '', node.cpuCores ? plural(node.cpuCores, 'core') : '', node.memory ? bytes(node.memory) : ''].filter(Boolean).join(' · ')}
        {node.declared && gpus?.length === 0 ? ' · declared' : ''}
        {node.simulated ? ' · simulated' : ''}
      </div>
      {gpus ? <GpuSquares gpus={gpus} node={node} /> : <PendingSquares count={node.gpuInfo?.gpuCount ?? 0} />}
      {node.drain ? (
        <p className="tiny soft break">
          <span className="strong">{node.drain.reason}</span> · {node.drain.by}, <Time at={node.drain.since} />
          <DrainTimes drain={node.drain} />
        </p>
      ) : null}
      {problem ? <p className="tiny field-error break">{problem.message}</p> : null}
      <div className="row between">
        <span className="row tiny muted">
          <span className="clip">
            Pool {node.nodePool}
            {node.clusterName ? ` · Cluster ${node.clusterName}` : ''}
          </span>
          {levelsOf(gpus ?? []).map((level) => (
            <IsolationBadge key={level} level={level} />
          ))}
        </span>
        {allowed('cluster', 'update') && node.id ? <DrainButton node={node} drained={drained} gpus={gpus} /> : null}
      </div>
    </article>
  );
}
