import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { api, type Schemas } from '@/api/client';
import { queries } from '@/api/queries';
import { signedIn, type Opened } from '@/api/session';
import { textAt, type Spec } from '@/lib/paths';
import { Badge } from '@/ui/badge';
import { Button, IconButton } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { EntityDialog } from '@/ui/entity-form';
import { Card, Facts, Page } from '@/ui/page';
import { SecretDialog } from '@/ui/secret';
import { Failed, Skeleton } from '@/ui/state';
import { Table, type Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

type Token = Schemas['PersonalToken'];

export default function Account() {
  const me = useQuery(queries.me);
  const [params] = useSearchParams();
  const [changing, setChanging] = useState(params.get('password') === 'change');
  return (
    <Page title="Account" sub={me.data?.username} actions={<Button onClick={() => setChanging(true)}>Change password</Button>}>
      <Card title="Roles">
        {me.data?.roles.length === 0 ? <p className="small muted">None yet, so most pages are empty. An administrator can give you one under Access rules.</p> : null}
        <Facts
          rows={(me.data?.roles ?? []).map((role) => [
            role.scopeType === 'tenant' ? 'Everywhere' : `${role.scopeType} ${role.scopeName}`,
            <Badge key={role.roleId} tone="accent">
              {role.roleName}
            </Badge>,
          ])}
        />
      </Card>
      <Tokens />
      {changing ? <ChangeDialog onClose={() => setChanging(false)} /> : null}
    </Page>
  );
}

function ChangeDialog({ onClose }: { onClose: () => void }) {
  const save = async (value: Spec) => {
    if (textAt(value, 'newPassword') !== textAt(value, 'again')) throw new Error('The two new passwords differ.');
    const answer = await api.post<Opened>('/api/v1/me/password', { currentPassword: value.currentPassword, newPassword: value.newPassword });
    signedIn(answer);
    toast('The password is changed; other sessions are signed out');
  };
  return (
    <EntityDialog
      title="Change password"
      action="Change"
      initial={{}}
      fields={[
        { path: 'currentPassword', label: 'Present password', kind: 'secret', required: true },
        { path: 'newPassword', label: 'New password', kind: 'secret', required: true },
        { path: 'again', label: 'New password, again', kind: 'secret', required: true },
      ]}
      save={save}
      onClose={onClose}
    />
  );
}

function Tokens() {
  const client = useQueryClient();
  const tokens = useQuery({ queryKey: ['token'], queryFn: () => api.get<Token[]>('/api/v1/me/tokens') });
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<Token | null>(null);
  const refresh = () => void client.invalidateQueries({ queryKey: ['token'] });
  const columns: Column<Token>[] = [
    { id: 'name', header: 'Name', cell: (t) => <span className="strong">{t.name}</span> },
    { id: 'made', header: 'Made', cell: (t) => <Time at={t.createdAt} /> },
    { id: 'ends', header: 'Ends', cell: (t) => <Time at={t.expiresAt} /> },
  ];
  return (
    <Card
      flush
      title="Personal tokens"
      actions={
        <Button small icon={<Plus size={13} />} onClick={() => setAdding(true)}>
          New token
        </Button>
      }
    >
      {tokens.isError ? (
        <Failed small error={tokens.error} what="personal tokens" />
      ) : tokens.isPending ? (
        <div className="card-body">
          <Skeleton lines={2} />
        </div>
      ) : tokens.data.length === 0 ? (
        <p className="card-body small muted">None. A token lets a script act as you: set it as GPUYARD_TOKEN.</p>
      ) : (
        <Table label="Personal tokens" columns={columns} rows={tokens.data ?? []} rowId={(t) => t.id} actions={(t) => <IconButton small label={`Delete ${t.name}`} icon={<Trash2 size={14} />} onClick={() => setDeleting(t)} />} />
      )}
      {adding ? (
        <EntityDialog
          title="New token"
          action="Create"
          initial={{ days: 90 }}
          fields={[
            { path: 'name', label: 'Name', required: true },
            { path: 'days', label: 'Valid for, days', kind: 'number', required: true },
          ]}
          save={async (value) => {
            setSecret((await api.post<Schemas['PersonalTokenCreated']>('/api/v1/me/tokens', value)).token);
            refresh();
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
      {secret ? <SecretDialog title="Your token" lines={[['Token', secret]]} onClose={() => setSecret(null)} /> : null}
      {deleting ? (
        <Confirm title={`Delete the token ${deleting.name}?`} action="Delete" danger onClose={() => setDeleting(null)} run={async () => (await api.del(`/api/v1/me/tokens/${deleting.id}`), refresh())}>
          <p>Scripts that use it can no longer sign in.</p>
        </Confirm>
      ) : null}
    </Card>
  );
}
