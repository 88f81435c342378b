import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, LogOut, ShieldCheck, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { queries, useAllowed } from '@/api/queries';
import { textAt, type Spec } from '@/lib/paths';
import { Confirm } from '@/ui/confirm';
import { InviteDialog } from '@/pages/users/invite';
import { ResourcePage } from '@/ui/resource-page';
import { SecretDialog } from '@/ui/secret';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

type User = Schemas['User'];

const COLUMNS: Column<User>[] = [
  { id: 'name', header: 'E-mail', cell: (u) => <Link className="strong" to={`/users/${encodeURIComponent(u.username)}`}>{u.username}</Link>, text: (u) => u.username },
  { id: 'groups', header: 'Groups', cell: (u) => u.groups?.join(', ') || '–', text: (u) => u.groups?.join(' ') },
  { id: 'unix', header: 'Account on nodes', cell: (u) => u.unixName || '–', text: (u) => u.unixName },
  { id: 'login', header: 'Last signed in', cell: (u) => <Time at={u.lastLogin} />, text: (u) => u.lastLogin },
  { id: 'by', header: 'Added by', cell: (u) => u.createdBy, text: (u) => u.createdBy },
  { id: 'created', header: 'Added', cell: (u) => <Time at={u.createdAt} />, text: (u) => u.createdAt },
];

type Asking = { user: User; what: 'delete' | 'reset' | 'logout' };

export default function Users() {
  const rows = useQuery(queries.users);
  const allowed = useAllowed();
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const [asking, setAsking] = useState<Asking | null>(null);
  const [secret, setSecret] = useState<[string, string][] | null>(null);
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
        createLabel="Invite people"
        teach="Invite people by e-mail, with a role in a project."
        menu={(u) => [
          allowed('access_rules') && { label: 'Access rules', icon: <ShieldCheck size={15} />, onSelect: () => navigate(`/access-rules?q=${encodeURIComponent(u.username)}`) },
          allowed('users', 'update') && { label: 'New temporary password…', icon: <KeyRound size={15} />, onSelect: () => setAsking({ user: u, what: 'reset' }) },
          allowed('users', 'update') && { label: 'Sign out everywhere…', icon: <LogOut size={15} />, onSelect: () => setAsking({ user: u, what: 'logout' }) },
          allowed('users', 'delete') && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setAsking({ user: u, what: 'delete' }) },
        ]}
      />
      {adding ? <InviteDialog onDone={setSecret} onClose={() => setAdding(false)} /> : null}
      {asking ? <Ask asking={asking} onSecret={setSecret} onClose={() => setAsking(null)} /> : null}
      {secret ? <SecretDialog title={secret.length === 1 ? `Temporary password of ${secret[0]?.[0]}` : 'Temporary passwords'} lines={secret} onClose={() => setSecret(null)} /> : null}
    </>
  );
}

const SAYS: Record<Asking['what'], { title: string; action: string; text: string }> = {
  delete: { title: 'Delete', action: 'Delete', text: 'The person can no longer sign in; tokens and access rules end. Work that was submitted stays.' },
  reset: { title: 'New temporary password for', action: 'Reset', text: 'The present password stops working; the temporary one must be changed at the next sign-in.' },
  logout: { title: 'Sign out', action: 'Sign out', text: 'Every session of the person ends now.' },
};

function Ask({ asking: { user, what }, onSecret, onClose }: { asking: Asking; onSecret: (lines: [string, string][]) => void; onClose: () => void }) {
  const client = useQueryClient();
  const run = async () => {
    if (what === 'delete') await api.del(`/api/v1/users/${user.id}`);
    else if (what === 'logout') await api.post(`/api/v1/users/${user.id}/logout`);
    else onSecret([[user.username, textAt(await api.post<Spec>(`/api/v1/users/${user.id}/password`), 'tempPassword')]]);
    if (what !== 'reset') toast('Done');
    void client.invalidateQueries({ queryKey: ['user'] });
  };
  return (
    <Confirm title={`${SAYS[what].title} ${user.username}?`} action={SAYS[what].action} danger={what === 'delete'} run={run} onClose={onClose}>
      <p>{SAYS[what].text}</p>
    </Confirm>
  );
}
