import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { api, type Schemas } from '@/api/client';
import { queries, useAllowed } from '@/api/queries';
import { textAt, put, type Spec } from '@/lib/paths';
import { Badge } from '@/ui/badge';
import { Confirm } from '@/ui/confirm';
import { EntityDialog, type FieldSpec } from '@/ui/entity-form';
import { ResourcePage } from '@/ui/resource-page';
import { readScope, ScopeField } from '@/ui/scope';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

type Rule = Schemas['AccessRule'];

const COLUMNS: Column<Rule>[] = [
  { id: 'subject', header: 'Who', cell: (r) => <span className="strong">{r.subjectId}</span>, text: (r) => r.subjectId },
  { id: 'kind', header: 'Kind', cell: (r) => r.subjectType, text: (r) => r.subjectType },
  { id: 'role', header: 'Role', cell: (r) => <Badge tone="accent">{r.roleName}</Badge>, text: (r) => r.roleName },
  { id: 'scope', header: 'Where', cell: (r) => (r.scopeType === 'tenant' ? 'everywhere' : `${r.scopeType} ${r.scopeName}`), text: (r) => `${r.scopeType} ${r.scopeName}` },
  { id: 'by', header: 'Given by', cell: (r) => r.createdBy, text: (r) => r.createdBy },
  { id: 'created', header: 'Given', cell: (r) => <Time at={r.createdAt} />, text: (r) => r.createdAt },
];

export default function AccessRules() {
  const rows = useQuery(queries.accessRules);
  const allowed = useAllowed();
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Rule | null>(null);
  const done = (text: string) => {
    toast(text);
    void client.invalidateQueries({ queryKey: ['access-rule'] });
  };
  return (
    <>
      <ResourcePage
        title="Access rules"
        what="access rules"
        sub="Who has which role where; a rule holds for everything below its scope"
        rows={rows}
        columns={COLUMNS}
        rowId={(r) => String(r.id)}
        nameOf={(r) => `${r.subjectId}, ${r.roleName}`}
        onCreate={allowed('access_rules', 'create') && (() => setAdding(true))}
        createLabel="New access rule"
        teach="Without a rule a person sees nothing. Give a role in a project, a department or everywhere."
        menu={(r) => [allowed('access_rules', 'delete') && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(r) }]}
      />
      {adding ? <AddRule onClose={() => setAdding(false)} done={done} /> : null}
      {deleting ? (
        <Confirm title="Delete the access rule?" action="Delete" danger onClose={() => setDeleting(null)} run={async () => (await api.del(`/api/v1/authorization/access-rules/${deleting.id}`), done('The access rule is deleted'))}>
          <p>
            {deleting.subjectId} no longer has the role {deleting.roleName} in {deleting.scopeName}.
          </p>
        </Confirm>
      ) : null}
    </>
  );
}

function AddRule({ onClose, done }: { onClose: () => void; done: (text: string) => void }) {
  const allowed = useAllowed();
  const roles = useQuery({ queryKey: ['role', 'all'], queryFn: () => api.get<Schemas['Role'][]>('/api/v1/authorization/roles'), enabled: allowed('roles') });
  const people = useQuery({ ...queries.users, enabled: allowed('users') });
  const fields: FieldSpec[] = [
    {
      path: 'subjectType',
      label: 'Kind',
      kind: 'select',
      options: [
        ['user', 'a person'],
        ['app', 'an application'],
        ['group', 'a group'],
      ],
    },
    { path: 'subjectId', label: 'Who', required: true, suggestions: (people.data ?? []).map((u) => u.username), placeholder: 'ann@lab.example.org', hint: 'The e-mail, the client id, or the name of the group.' },
    { path: 'roleId', label: 'Role', kind: 'select', options: [['', 'Choose…'], ...(roles.data ?? []).map((r): [string, string] => [String(r.id), r.name])], required: true },
  ];
  const save = async (value: Spec) => {
    const scope = readScope(textAt(value, 'scope'));
    await api.post('/api/v1/authorization/access-rules', {
      subjectType: value.subjectType,
      subjectId: textAt(value, 'subjectId').trim(),
      roleId: Number(value.roleId),
      scopeType: scope.type,
      scopeId: scope.id,
    });
    done('The access rule is saved');
  };
  return (
    <EntityDialog
      title="New access rule"
      action="Create"
      fields={fields}
      initial={{ subjectType: 'user', scope: 'tenant:1' }}
      save={save}
      onClose={onClose}
      extra={(value, onChange) => <ScopeField value={textAt(value, 'scope')} onChange={(text) => onChange(put(value, 'scope', text))} />}
    />
  );
}
