import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, LogOut, ShieldCheck, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { useAllowed } from '@/api/queries';
import { textAt, type Spec } from '@/lib/paths';
import { Confirm } from '@/ui/confirm';
import { EntityDialog } from '@/ui/entity-form';
import { ResourcePage } from '@/ui/resource-page';
import { SecretDialog } from '@/ui/secret';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

type User = Schemas['User'];

const COLUMNS: Column<User>[] = [
  { id: 'name', header: 'E-mail', cell: (u) => <span className="strong">{u.username}</span>, text: (u) => u.username },
  { id: 'groups', header: 'Groups', cell: (u) => u.groups?.join(', ') || '–', text: (u) => u.groups?.join(' ') },
  { id: 'unix', header: 'Account on nodes', cell: (u) => u.unixName || '–', text: (u) => u.unixName },
  { id: 'login', header: 'Last signed in', cell: (u) => <Time at={u.lastLogin} />, text: (u) => u.lastLogin },
  { id: 'by', header: 'Added by', cell: (u) => u.createdBy, text: (u) => u.createdBy },
  { id: 'created', header: 'Added', cell: (u) => <Time at={u.createdAt} />, text: (u) => u.createdAt },
];

type Asking = { user: User; what: 'delete' | 'reset' | 'logout' };

export default function Users() {
  const rows = useQuery({ queryKey: ['user', 'all'], queryFn: () => api.get<User[]>('/api/v1/users', { limit: 500 }) });
  const allowed = useAllowed();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const [asking, setAsking] = useState<Asking | null>(null);
  const [secret, setSecret] = useState<{ name: string; text: string } | null>(null);
  const add = async (value: Spec) => {
    const made = await api.post<Schemas['UserCreated']>('/api/v1/users', value);
    void client.invalidateQueries({ queryKey: ['user'] });
    setSecret({ name: made.username, text: made.tempPassword });
  };
  return (
    <>
      <ResourcePage
        title="Users"
        what="users"
        rows={rows}
        columns={COLUMNS}
        rowId={(u) => u.id}
        nameOf={(u) => u.username}
        onCreate={allowed('users', 'create') && (() => setAdding(true))}
        createLabel="Add a user"
        teach="Add a person, then give a role in a project under Access rules."
        menu={(u) => [
          allowed('access_rules') && { label: 'Access rules', icon: <ShieldCheck size={15} />, onSelect: () => navigate(`/access-rules?q=${encodeURIComponent(u.username)}`) },
          allowed('users', 'update') && { label: 'New temporary password…', icon: <KeyRound size={15} />, onSelect: () => setAsking({ user: u, what: 'reset' }) },
          allowed('users', 'update') && { label: 'Sign out everywhere…', icon: <LogOut size={15} />, onSelect: () => setAsking({ user: u, what: 'logout' }) },
          allowed('users', 'delete') && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setAsking({ user: u, what: 'delete' }) },
        ]}
      />
      {adding ? (
        <EntityDialog
          title="Add a user"
          action="Add"
          initial={{}}
          fields={[
            { path: 'email', label: 'E-mail', required: true, placeholder: 'ann@lab.example.org' },
            { path: 'groups', label: 'Groups', kind: 'list' },
            { path: 'unixName', label: 'Account on nodes', hint: 'Work runs as this account; empty: made from the e-mail.' },
          ]}
          save={add}
          onClose={() => setAdding(false)}
        />
      ) : null}
      {asking ? <Ask asking={asking} onSecret={setSecret} onClose={() => setAsking(null)} /> : null}
      {secret ? <SecretDialog title={`Temporary password of ${secret.name}`} lines={[['Password', secret.text]]} onClose={() => setSecret(null)} /> : null}
    </>
  );
}

const SAYS: Record<Asking['what'], { title: string; action: string; text: string }> = {
  delete: { title: 'Delete', action: 'Delete', text: 'The person can no longer sign in; tokens and access rules end. Work that was submitted stays.' },
  reset: { title: 'New temporary password for', action: 'Make it', text: 'The present password stops working; the temporary one must be changed at the next sign-in.' },
  logout: { title: 'Sign out', action: 'Sign out', text: 'Every session of the person ends now.' },
};

function Ask({ asking: { user, what }, onSecret, onClose }: { asking: Asking; onSecret: (s: { name: string; text: string }) => void; onClose: () => void }) {
  const client = useQueryClient();
  const run = async () => {
    if (what === 'delete') await api.del(`/api/v1/users/${user.id}`);
    else if (what === 'logout') await api.post(`/api/v1/users/${user.id}/logout`);
    else onSecret({ name: user.username, text: textAt(await api.post<Spec>(`/api/v1/users/${user.id}/password`), 'tempPassword') });
    if (what !== 'reset') toast('Done');
    void client.invalidateQueries({ queryKey: ['user'] });
  };
  return (
    <Confirm title={`${SAYS[what].title} ${user.username}?`} action={SAYS[what].action} danger={what === 'delete'} run={run} onClose={onClose}>
      <p>{SAYS[what].text}</p>
    </Confirm>
  );
}
