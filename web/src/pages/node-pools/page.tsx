import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { api } from '@/api/client';
import { queries, useAllowed, type NodePool } from '@/api/queries';
import { at, type Spec } from '@/lib/paths';
import { Badge } from '@/ui/badge';
import { Confirm } from '@/ui/confirm';
import { EntityDialog, type FieldSpec } from '@/ui/entity-form';
import { Phase } from '@/ui/phase';
import { ResourcePage } from '@/ui/resource-page';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

const nodes = (p: NodePool) => p.status?.nodes?.length ?? 0;
const placement = (strategy: string | null | undefined) => (strategy === 'spread' ? 'spread over nodes' : 'fill nodes');
const strategy = (p: NodePool) => `${placement(p.placementStrategy?.gpu)} / ${placement(p.placementStrategy?.cpu)}`;

const COLUMNS: Column<NodePool>[] = [
  { id: 'name', header: 'Name', cell: (p) => <Link className="strong" to={`/node-pools/${encodeURIComponent(p.name)}`}>{p.name}</Link>, text: (p) => p.name },
  { id: 'phase', header: 'Status', cell: (p) => <Phase phase={p.phase ?? 'Unknown'} />, text: (p) => p.phase },
  { id: 'label', header: 'Nodes with the label', cell: (p) => <code>{`${p.labelKey}=${p.labelValue}`}</code>, text: (p) => `${p.labelKey}=${p.labelValue}` },
  { id: 'nodes', header: 'Nodes', right: true, cell: nodes, text: nodes },
  { id: 'strategy', header: 'Placement, GPU / CPU', cell: strategy, text: strategy },
  { id: 'default', header: '', cell: (p) => (p.isDefault ? <Badge tone="accent">default</Badge> : null) },
  { id: 'created', header: 'Created', cell: (p) => <Time at={p.createdAt} />, text: (p) => p.createdAt },
];

const PLACEMENT: [string, string][] = [
  ['binpack', 'fill nodes one by one'],
  ['spread', 'spread over nodes'],
];
const PLACING: FieldSpec[] = [
  { path: 'placementStrategy.gpu', label: 'GPU work', kind: 'select', options: PLACEMENT },
  { path: 'placementStrategy.cpu', label: 'CPU work', kind: 'select', options: PLACEMENT },
];
const FIELDS: FieldSpec[] = [
  { path: 'name', label: 'Name', required: true, placeholder: 'a100' },
  { path: 'labelKey', label: 'Label key', required: true, mono: true, placeholder: 'gpu' },
  { path: 'labelValue', label: 'Label value', required: true, mono: true, placeholder: 'a100', hint: 'Every node with this label belongs to the pool.' },
  ...PLACING,
];
const START: Spec = { placementStrategy: { gpu: 'binpack', cpu: 'binpack' } };

export default function NodePools() {
  const rows = useQuery(queries.nodePools);
  const clusters = useQuery(queries.clusters);
  const allowed = useAllowed();
  const client = useQueryClient();
  const [editing, setEditing] = useState<NodePool | 'new' | null>(null);
  const [deleting, setDeleting] = useState<NodePool | null>(null);
  const done = (text: string) => {
    toast(text);
    void client.invalidateQueries({ queryKey: ['node-pool'] });
  };
  const save = async (value: Spec) => {
    if (editing === 'new') await api.post('/api/v1/node-pools', { ...value, clusterId: clusters.data?.[0]?.uuid });
    else await api.patch(`/api/v1/node-pools/${editing?.id}`, { placementStrategy: at(value, 'placementStrategy') });
    done('The node pool is saved');
  };
  return (
    <>
      <ResourcePage
        title="Node pools"
        what="node pools"
        sub="Nodes that share a label, with one way of placing work"
        rows={rows}
        columns={COLUMNS}
        rowId={(p) => p.id}
        nameOf={(p) => p.name}
        onCreate={allowed('nodepools', 'create') && (() => setEditing('new'))}
        createLabel="New node pool"
        teach="A pool gathers alike nodes, such as all with A100 GPUs; quotas are given per pool."
        menu={(p) => [
          allowed('nodepools', 'update') && { label: 'Edit…', icon: <Pencil size={15} />, onSelect: () => setEditing(p) },
          allowed('nodepools', 'delete') && !p.isDefault && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(p) },
        ]}
      />
      {editing ? (
        <EntityDialog title={editing === 'new' ? 'New node pool' : `Edit ${editing.name}`} fields={editing === 'new' ? FIELDS : PLACING} initial={editing === 'new' ? START : { placementStrategy: editing.placementStrategy }} save={save} onClose={() => setEditing(null)} />
      ) : null}
      {deleting ? (
        <Confirm title={`Delete the node pool ${deleting.name}?`} action="Delete" danger onClose={() => setDeleting(null)} run={async () => (await api.del(`/api/v1/node-pools/${deleting.id}`), done(`${deleting.name} is deleted`))}>
          <p>Its nodes go to the default pool, and quotas given on it end.</p>
        </Confirm>
      ) : null}
    </>
  );
}
