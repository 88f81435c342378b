import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Power, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { api, type Schemas } from '@/api/client';
import { useAllowed } from '@/api/queries';
import type { Spec } from '@/lib/paths';
import { Badge } from '@/ui/badge';
import { Confirm } from '@/ui/confirm';
import { CopyValue } from '@/ui/copy';
import { EntityDialog } from '@/ui/entity-form';
import { ResourcePage } from '@/ui/resource-page';
import { SecretDialog } from '@/ui/secret';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast, toastError } from '@/ui/toast';

type Application = Schemas['Application'];

const COLUMNS: Column<Application>[] = [
  { id: 'name', header: 'Name', cell: (a) => <span className="strong">{a.name}</span>, text: (a) => a.name },
  { id: 'client', header: 'Client id', cell: (a) => <CopyValue text={a.clientId} />, text: (a) => a.clientId },
  { id: 'on', header: 'Status', cell: (a) => <Badge tone={a.enabled ? 'ok' : 'still'}>{a.enabled ? 'Enabled' : 'Disabled'}</Badge>, text: (a) => (a.enabled ? 'Enabled' : 'Disabled') },
  { id: 'login', header: 'Last used', cell: (a) => <Time at={a.lastLogin} />, text: (a) => a.lastLogin },
  { id: 'by', header: 'Made by', cell: (a) => a.createdBy, text: (a) => a.createdBy },
  { id: 'created', header: 'Made', cell: (a) => <Time at={a.createdAt} />, text: (a) => a.createdAt },
];

export default function Applications() {
  const rows = useQuery({ queryKey: ['application'], queryFn: () => api.get<Application[]>('/api/v1/apps') });
  const allowed = useAllowed();
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Application | null>(null);
  const [renewing, setRenewing] = useState<Application | null>(null);
  const [secret, setSecret] = useState<[string, string][] | null>(null);
  const refresh = () => void client.invalidateQueries({ queryKey: ['application'] });
  const add = async (value: Spec) => {
    const made = await api.post<Schemas['ApplicationCreated']>('/api/v1/apps', value);
    refresh();
    setSecret([['Client id', made.clientId], ['Secret', made.secret]]);
  };
  const toggle = (a: Application) => api.patch(`/api/v1/apps/${a.id}`, { enabled: !a.enabled }).then(refresh, toastError);
  return (
    <>
      <ResourcePage
        title="Applications"
        what="applications"
        sub="Programs that use the API with an id and a secret"
        rows={rows}
        columns={COLUMNS}
        rowId={(a) => a.id}
        nameOf={(a) => a.name}
        onCreate={allowed('apps', 'create') && (() => setAdding(true))}
        createLabel="New application"
        teach="A script or service gets its own id and secret here, and its rights by access rules, like a person."
        menu={(a) => [
          allowed('apps', 'update') && { label: 'New secret…', icon: <KeyRound size={15} />, onSelect: () => setRenewing(a) },
          allowed('apps', 'update') && { label: a.enabled ? 'Disable' : 'Enable', icon: <Power size={15} />, onSelect: () => void toggle(a) },
          allowed('apps', 'delete') && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(a) },
        ]}
      />
      {adding ? <EntityDialog title="New application" action="Create" initial={{}} fields={[{ path: 'name', label: 'Name', required: true, placeholder: 'nightly-evaluation' }]} save={add} onClose={() => setAdding(false)} /> : null}
      {renewing ? (
        <Confirm title={`New secret for ${renewing.name}?`} action="Make it" onClose={() => setRenewing(null)} run={async () => setSecret([['Secret', (await api.post<Schemas['Secret']>(`/api/v1/apps/${renewing.id}/secret`)).secret]])}>
          <p>The present secret stops working at once.</p>
        </Confirm>
      ) : null}
      {deleting ? (
        <Confirm title={`Delete ${deleting.name}?`} action="Delete" danger onClose={() => setDeleting(null)} run={async () => (await api.del(`/api/v1/apps/${deleting.id}`), refresh(), toast(`${deleting.name} is deleted`))}>
          <p>Programs that use its secret can no longer sign in.</p>
        </Confirm>
      ) : null}
      {secret ? <SecretDialog title="Keep this secret" lines={secret} onClose={() => setSecret(null)} /> : null}
    </>
  );
}
