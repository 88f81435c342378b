import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { api } from '@/api/client';
import { queries, useAllowed, type Department } from '@/api/queries';
import type { Spec } from '@/lib/paths';
import { editable, QuotasAndRules, sendable } from '@/pages/projects/units';
import { Confirm } from '@/ui/confirm';
import { EntityDialog } from '@/ui/entity-form';
import { Promised, QuotaBar } from '@/ui/quota';
import { ResourcePage } from '@/ui/resource-page';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

const COLUMNS: Column<Department>[] = [
  { id: 'name', header: 'Name', cell: (d) => <span className="strong">{d.name}</span>, text: (d) => d.name },
  { id: 'about', header: 'Description', cell: (d) => <span className="clip cell-clip">{d.description || '–'}</span>, text: (d) => d.description },
  { id: 'projects', header: 'Projects', cell: (d) => (d.children ?? []).map((c) => c.name).join(', ') || '–', text: (d) => (d.children ?? []).map((c) => c.name).join(' ') },
  { id: 'use', header: 'Use of the quota', cell: (d) => <QuotaBar quota={d.totalResources.gpuQuota ?? 0} status={d.status?.quotaStatus} />, text: (d) => d.status?.quotaStatus?.allocated?.gpu },
  { id: 'quota', header: 'Quota', right: true, cell: (d) => <Promised total={d.totalResources.gpuQuota} warning={d.status?.phaseMessage} />, text: (d) => d.totalResources.gpuQuota },
  { id: 'created', header: 'Created', cell: (d) => <Time at={d.createdAt} />, text: (d) => d.createdAt },
];

export default function Departments() {
  const rows = useQuery(queries.departments);
  const clusters = useQuery(queries.clusters);
  const allowed = useAllowed();
  const client = useQueryClient();
  const [editing, setEditing] = useState<Department | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Department | null>(null);
  const done = (text: string) => {
    toast(text);
    void client.invalidateQueries({ queryKey: ['department'] });
  };
  const save = async (value: Spec) => {
    const { name, parentId: _, ...body } = sendable(value);
    if (editing === 'new') await api.post('/api/v1/org-unit/departments', { ...body, name, clusterId: clusters.data?.[0]?.uuid });
    else await api.put(`/api/v1/org-unit/departments/${editing?.id}`, body);
    done('The department is saved');
  };
  const one = editing === 'new' ? null : editing;
  return (
    <>
      <ResourcePage
        title="Departments"
        what="departments"
        rows={rows}
        columns={COLUMNS}
        rowId={(d) => d.id}
        nameOf={(d) => d.name}
        onCreate={allowed('department', 'create') && (() => setEditing('new'))}
        createLabel="New department"
        teach="A department holds projects and a quota they share."
        menu={(d) => [
          allowed('department', 'update') && { label: 'Edit…', icon: <Pencil size={15} />, onSelect: () => setEditing(d) },
          allowed('department', 'delete') && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(d) },
        ]}
      />
      {editing ? (
        <EntityDialog
          wide
          title={one ? `Edit ${one.name}` : 'New department'}
          fields={[...(one ? [] : [{ path: 'name', label: 'Name', required: true }]), { path: 'description', label: 'Description' }]}
          initial={editable(one)}
          save={save}
          onClose={() => setEditing(null)}
          extra={(value, onChange) => <QuotasAndRules value={value} onChange={onChange} />}
        />
      ) : null}
      {deleting ? (
        <Confirm title={`Delete the department ${deleting.name}?`} action="Delete" danger onClose={() => setDeleting(null)} run={async () => (await api.del(`/api/v1/org-unit/departments/${deleting.id}`), done(`${deleting.name} is deleted`))}>
          <p>Only a department without projects can be deleted. Its quota becomes free. This cannot be undone.</p>
        </Confirm>
      ) : null}
    </>
  );
}
