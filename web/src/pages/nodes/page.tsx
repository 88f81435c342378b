import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { CirclePlay, CircleSlash, Server } from '@/ui/icons';
import { useMemo, useState } from 'react';
import { api, isForbidden, type Schemas } from '@/api/client';
import { act, engine, type Gpu } from '@/api/engine';
import { useAllowed, type Node } from '@/api/queries';
import { nodeNumber } from '@/api/telemetry';
import { PAGE_SIZES } from '@/lib/filter';
import { bytes, plural } from '@/lib/quantity';
import { declaredGpus, isDrained, levelsOf } from '@/pages/nodes/gpu-state';
import { GpuSquares, Legend, PendingSquares } from '@/pages/nodes/grid';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { EntityDialog } from '@/ui/entity-form';
import { Confirm } from '@/ui/confirm';
import { IsolationBadge } from '@/ui/isolation';
import { Pager, SearchBox, useListState } from '@/ui/list';
import { Page } from '@/ui/page';
import { Phase } from '@/ui/phase';
import { Empty, Failed, Skeleton } from '@/ui/state';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

function useNodes(search: string, offset: number, limit: number) {
  const list = useQuery({
    queryKey: ['node', 'list', search, offset, limit],
    queryFn: async ({ signal }) => (await api.get<Schemas['NodeList']>('/api/v1/nodes', { search, offset, limit, sortBy: 'name' }, signal)).nodes,
    placeholderData: keepPreviousData,
  });
  const count = useQuery({
    queryKey: ['node', 'count', search],
    queryFn: async ({ signal }) => (await api.get<Schemas['Count']>('/api/v1/nodes/count', { search }, signal)).count,
    placeholderData: keepPreviousData,
  });
  return { list, count: count.data };
}

/** The GPUs of the nodes in view, asked for beside the nodes themselves. */
function useGpusByNode(search: string, offset: number, limit: number): (node: Node) => Gpu[] | null {
  const gpus = useQuery({ ...engine.gpus({ search, offset, limit }), retry: false });
  return useMemo(() => {
    const byNode = new Map<string, Gpu[]>();
    for (const gpu of gpus.data ?? []) {
      const list = byNode.get(gpu.node);
      if (list) list.push(gpu);
      else byNode.set(gpu.node, [gpu]);
    }
    return (node) => byNode.get(node.name) ?? (gpus.isPending ? null : declaredGpus(node));
  }, [gpus.data, gpus.isPending]);
}

export default function Nodes() {
  const [state, change] = useListState({ size: 50 });
  const text = state.search;
  const { list: nodes, count } = useNodes(text, state.page * state.size, state.size);
  const gpusOf = useGpusByNode(text, state.page * state.size, state.size);
  const total = useQuery(nodeNumber('TOTAL_GPUS'));
  const all = nodes.data ?? [];
  const gpus = total.data === null || total.data === undefined ? '' : `, ${plural(total.data, 'GPU')}`;
  return (
    <Page title="Nodes and GPUs" sub={count === undefined ? undefined : `${plural(count, 'node')}${text ? ' called so' : gpus}`}>
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
          <Empty title={text ? 'No node is called so' : 'No node yet'} icon={<Server size={20} />}>
            {text ? null : 'The machine of the server is a node by itself once an engine is attached; others join with gpuyard up.'}
          </Empty>
        </div>
      ) : (
        <>
          <div className="node-cards">
            {all.map((node) => (
              <NodeCard key={node.name} node={node} gpus={gpusOf(node)} />
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

function NodeCard({ node, gpus }: { node: Node; gpus: Gpu[] | null }) {
  const allowed = useAllowed();
  const drained = isDrained(node);
  const problem = node.status === 'Ready' ? undefined : node.conditions?.find((c) => c.message && !/declared/i.test(c.type + c.reason));
  return (
    <article className="card node-card" aria-label={node.name}>
      <div className="row between">
        <h2 className="clip card-title" title={node.name}>
          {node.name}
        </h2>
        <span className="row">
          {drained ? <Badge>Drained</Badge> : null}
          <Phase phase={node.status} />
        </span>
      </div>
      <div className="tiny muted clip">
        {[node.gpuInfo ? `${node.gpuInfo.gpuCount} × ${node.gpuInfo.gpuType}` : 'no GPU', node.gpuMemory ? bytes(node.gpuMemory) : '', node.cpuCores ? `${node.cpuCores} cores` : '', node.memory ? bytes(node.memory) : ''].filter(Boolean).join(' · ')}
        {node.declared && gpus?.length === 0 ? ' · declared' : ''}
      </div>
      {gpus ? <GpuSquares gpus={gpus} node={node} /> : <PendingSquares count={node.gpuInfo?.gpuCount ?? 0} />}
      {node.drain ? (
        <p className="tiny soft break">
          <span className="strong">{node.drain.reason}</span> · {node.drain.by}, <Time at={node.drain.since} />
        </p>
      ) : null}
      {problem ? <p className="tiny field-error break">{problem.message}</p> : null}
      <div className="row between">
        <span className="row tiny muted">
          <span className="clip">Pool {node.nodePool}</span>
          {levelsOf(gpus ?? []).map((level) => (
            <IsolationBadge key={level} level={level} />
          ))}
        </span>
        {allowed('cluster', 'update') && node.id ? <DrainButton node={node} drained={drained} /> : null}
      </div>
    </article>
  );
}

function DrainButton({ node, drained }: { node: Node; drained: boolean }) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const id = node.id ?? '';
  const after = (text: string) => {
    toast(text);
    void client.invalidateQueries({ queryKey: ['node'] });
  };
  const close = () => setAsking(false);
  return (
    <>
      <Button small icon={drained ? <CirclePlay size={13} /> : <CircleSlash size={13} />} onClick={() => setAsking(true)}>
        {drained ? 'Resume' : 'Drain'}
      </Button>
      {asking && drained ? (
        <Confirm title={`Let ${node.name} take work again?`} action="Resume" run={async () => (await act.resumeNode(id), after(`${node.name} takes work again`))} onClose={close}>
          <p>The scheduler may place work on it from now on.</p>
        </Confirm>
      ) : null}
      {asking && !drained ? (
        <EntityDialog
          title={`Drain ${node.name}`}
          action="Drain"
          initial={{}}
          fields={[{ path: 'reason', label: 'Reason', required: true, placeholder: 'GPU 3 reports errors', hint: 'Running work goes on to its end; nothing new is placed here. People see the reason.' }]}
          save={async (value) => (await act.drain(id, String(value.reason ?? '')), after(`${node.name} is drained`))}
          onClose={close}
        />
      ) : null}
    </>
  );
}
