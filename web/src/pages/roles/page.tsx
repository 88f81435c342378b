import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Eye, Pencil, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { api, type Schemas } from '@/api/client';
import { useAllowed } from '@/api/queries';
import type { Spec } from '@/lib/paths';
import { PermissionTable } from '@/pages/roles/permissions';
import { Badge } from '@/ui/badge';
import { Confirm } from '@/ui/confirm';
import { EntityDialog } from '@/ui/entity-form';
import { ResourcePage } from '@/ui/resource-page';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

type Role = Schemas['Role'];

const COLUMNS: Column<Role>[] = [
  { id: 'name', header: 'Name', cell: (r) => <span className="strong">{r.name}</span>, text: (r) => r.name },
  { id: 'kind', header: 'Kind', cell: (r) => <Badge tone={r.predefined ? 'still' : 'accent'}>{r.predefined ? 'predefined' : 'custom'}</Badge>, text: (r) => (r.predefined ? 'predefined' : 'custom') },
  { id: 'about', header: 'Description', cell: (r) => <span className="break">{r.description || '–'}</span>, text: (r) => r.description },
  { id: 'count', header: 'Permissions', right: true, cell: (r) => r.permissions.length, text: (r) => r.permissions.length },
  { id: 'updated', header: 'Changed', cell: (r) => <Time at={r.updatedAt} />, text: (r) => r.updatedAt },
];

interface Editing {
  role: Role | null;
  mode: 'new' | 'edit' | 'view';
}

export default function Roles() {
  const rows = useQuery({ queryKey: ['role', 'all'], queryFn: () => api.get<Role[]>('/api/v1/authorization/roles') });
  const allowed = useAllowed();
  const client = useQueryClient();
  const [editing, setEditing] = useState<Editing | null>(null);
  const [deleting, setDeleting] = useState<Role | null>(null);
  const done = (text: string) => {
    toast(text);
    void client.invalidateQueries({ queryKey: ['role'] });
  };
  const mayEdit = allowed('roles', 'update');
  return (
    <>
      <ResourcePage
        title="Roles"
        what="roles"
        sub="Sets of permissions; an access rule gives one to somebody somewhere"
        rows={rows}
        columns={COLUMNS}
        rowId={(r) => String(r.id)}
        nameOf={(r) => r.name}
        onCreate={allowed('roles', 'create') && (() => setEditing({ role: null, mode: 'new' }))}
        createLabel="New role"
        teach="A role says what may be read, made, changed and deleted."
        menu={(r) => [
          { label: 'Show permissions', icon: <Eye size={15} />, onSelect: () => setEditing({ role: r, mode: 'view' }) },
          allowed('roles', 'create') && { label: 'Make a copy…', icon: <Copy size={15} />, onSelect: () => setEditing({ role: { ...r, name: `${r.name} copy` }, mode: 'new' }) },
          mayEdit && !r.predefined && { label: 'Edit…', icon: <Pencil size={15} />, onSelect: () => setEditing({ role: r, mode: 'edit' }) },
          allowed('roles', 'delete') && !r.predefined && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(r) },
        ]}
      />
      {editing ? <RoleDialog editing={editing} onClose={() => setEditing(null)} done={done} /> : null}
      {deleting ? (
        <Confirm title={`Delete the role ${deleting.name}?`} action="Delete" danger onClose={() => setDeleting(null)} run={async () => (await api.del(`/api/v1/authorization/roles/${deleting.id}`), done(`${deleting.name} is deleted`))}>
          <p>Only a role that no access rule gives can be deleted: delete those access rules first. This cannot be undone.</p>
        </Confirm>
      ) : null}
    </>
  );
}

function RoleDialog({ editing: { role, mode }, onClose, done }: { editing: Editing; onClose: () => void; done: (text: string) => void }) {
  const known = useQuery({ queryKey: ['me', 'permissions'], queryFn: () => api.get<Schemas['Permission'][]>('/api/v1/authorization/permissions') });
  const initial: Spec = { name: role?.name ?? '', description: role?.description ?? '', permissions: (role?.permissions ?? []).map((p) => ({ resourceType: p.resourceType, actions: p.actions })) };
  const save = async (value: Spec) => {
    if (mode === 'view') return;
    const body = { ...value, permissions: value.permissions ?? [] };
    if (mode === 'new') await api.post('/api/v1/authorization/roles', body);
    else await api.put(`/api/v1/authorization/roles/${role?.id}`, body);
    done('The role is saved');
  };
  const table = (value: Spec, onChange: (value: Spec) => void) => <PermissionTable known={mode === 'view' ? (role?.permissions ?? []) : (known.data ?? [])} value={value} onChange={mode === 'view' ? undefined : onChange} />;
  return (
    <EntityDialog
      wide
      title={mode === 'new' ? 'New role' : mode === 'view' ? (role?.name ?? '') : `Edit ${role?.name}`}
      action={mode === 'view' ? 'Close' : 'Save'}
      fields={
        mode === 'view'
          ? []
          : [
              { path: 'name', label: 'Name', required: true },
              { path: 'description', label: 'Description' },
            ]
      }
      initial={initial}
      save={save}
      onClose={onClose}
      extra={table}
    />
  );
}
