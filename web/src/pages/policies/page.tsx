import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye, Pencil, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { stringify } from 'yaml';
import { api, type Schemas } from '@/api/client';
import { useAllowed } from '@/api/queries';
import { PolicyEditor } from '@/pages/policies/editor';
import { policyQuery, ROUTES, scopeQuery, type Place } from '@/pages/policies/place';
import { Confirm } from '@/ui/confirm';
import { CodeBox } from '@/ui/copy';
import { Dialog } from '@/ui/dialog';
import { ResourcePage } from '@/ui/resource-page';
import { useScopeNames } from '@/ui/scope';
import { Failed, Skeleton } from '@/ui/state';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

type Entry = Schemas['PolicyListEntry'];

export default function Policies() {
  const rows = useQuery({ queryKey: ['policy', 'all'], queryFn: async () => (await api.get<Schemas['PolicyList']>('/api/v2/policy')).policies ?? [] });
  const allowed = useAllowed();
  const client = useQueryClient();
  const scopeName = useScopeNames();
  const [editing, setEditing] = useState<Entry | 'new' | null>(null);
  const [viewing, setViewing] = useState<Entry | null>(null);
  const [deleting, setDeleting] = useState<Entry | null>(null);
  const where = (e: Entry) => scopeName(e.meta?.scope ?? '', e.meta?.projectId ?? e.meta?.departmentId);
  const columns: Column<Entry>[] = [
    { id: 'name', header: 'Name', cell: (e) => <span className="strong">{e.meta?.name}</span>, text: (e) => e.meta?.name },
    { id: 'type', header: 'For', cell: (e) => e.type, text: (e) => e.type },
    { id: 'scope', header: 'Scope', cell: where, text: where },
    { id: 'by', header: 'Changed by', cell: (e) => e.meta?.updatedBy, text: (e) => e.meta?.updatedBy },
    { id: 'at', header: 'Changed', cell: (e) => <Time at={e.meta?.updatedAt} />, text: (e) => e.meta?.updatedAt },
  ];
  const remove = async (e: Entry) => {
    await api.del(`/api/v2/policy/${ROUTES[e.type ?? '']}`, scopeQuery(e.meta as Place));
    toast('The policy is deleted');
    void client.invalidateQueries({ queryKey: ['policy'] });
  };
  return (
    <>
      <ResourcePage
        title="Policies"
        what="policies"
        sub="Defaults and rules for what people submit; the nearest scope wins"
        rows={rows}
        columns={columns}
        rowId={(e) => e.meta?.id ?? ''}
        nameOf={(e) => e.meta?.name ?? ''}
        onCreate={allowed('policies', 'create') && (() => setEditing('new'))}
        createLabel="New policy"
        teach="A policy fills in defaults and sets bounds, such as at most two GPUs for a workspace."
        menu={(e) => [
          { label: 'Show, with what holds in effect', icon: <Eye size={15} />, onSelect: () => setViewing(e) },
          allowed('policies', 'update') && { label: 'Edit…', icon: <Pencil size={15} />, onSelect: () => setEditing(e) },
          allowed('policies', 'delete') && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(e) },
        ]}
      />
      {editing ? <PolicyEditor entry={editing === 'new' ? null : editing} onClose={() => setEditing(null)} /> : null}
      {viewing ? <View entry={viewing} onClose={() => setViewing(null)} /> : null}
      {deleting ? (
        <Confirm title={`Delete the policy ${deleting.meta?.name}?`} action="Delete" danger run={() => remove(deleting)} onClose={() => setDeleting(null)}>
          <p>What it set no longer holds; policies of wider scopes still do. Work that was submitted stays as it is.</p>
        </Confirm>
      ) : null}
    </>
  );
}

function View({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const policy = useQuery(policyQuery(entry.type ?? '', entry.meta as Place));
  return (
    <Dialog wide title={entry.meta?.name ?? 'Policy'} onClose={onClose}>
      {policy.isPending ? (
        <Skeleton />
      ) : policy.isError ? (
        <Failed small error={policy.error} what="the policy" />
      ) : (
        <div className="stack">
          <h3>What it says</h3>
          <CodeBox text={stringify(policy.data.policy ?? {})} label="Policy" />
          <h3>What holds in effect, with wider scopes</h3>
          <CodeBox text={stringify(policy.data.effective ?? {})} label="Effective policy" />
        </div>
      )}
    </Dialog>
  );
}
