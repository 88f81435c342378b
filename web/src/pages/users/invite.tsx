// People, a project and a role in one go.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ApiError, type Schemas } from '@/api/client';
import { queries, useAllowed } from '@/api/queries';
import { textAt, type Spec } from '@/lib/paths';
import { EntityDialog, type FieldSpec } from '@/ui/entity-form';
import { toast } from '@/ui/toast';

/** E-mails as people paste them: on lines of their own, or between commas and spaces. */
export const emailsIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).map((one) => one.replace(/^<|>$/g, '').toLowerCase()).filter(Boolean))];

/** The temporary password, or null for somebody who has an account already. */
async function account(email: string): Promise<string | null> {
  try {
    return (await api.post<Schemas['UserCreated']>('/api/v1/users', { email })).tempPassword;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return null;
    throw error;
  }
}

async function grant(email: string, roleId: number, projectId: string): Promise<void> {
  try {
    await api.post('/api/v1/authorization/access-rules', { subjectType: 'user', subjectId: email, roleId, scopeType: 'project', scopeId: projectId });
  } catch (error) {
    // They have the role there already.
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
  }
}

/** Nobody new: an account was there for each of them. */
export const alreadyThere = (people: number, granted: boolean): string => `${people === 1 ? 'This person has an account already' : 'All of them have an account already'}${granted ? '; the role is given' : ', and no project was chosen: nothing has changed'}`;

interface InviteProps {
  projectId?: string;
  /** E-mail and temporary password of each new account. */
  onDone: (lines: [string, string][]) => void;
  onClose: () => void;
}

/** What most people are invited as. */
const USUAL_ROLE = /^L1 researcher$/i;

export function InviteDialog({ projectId = '', onDone, onClose }: InviteProps) {
  const allowed = useAllowed();
  const client = useQueryClient();
  const projects = useQuery(queries.projects);
  const roles = useQuery({ queryKey: ['role', 'all'], queryFn: () => api.get<Schemas['Role'][]>('/api/v1/authorization/roles'), enabled: allowed('roles') });
  const mayGrant = allowed('access_rules', 'create') && (roles.data ?? []).length > 0;
  const fields: FieldSpec[] = [
    { path: 'emails', label: 'E-mails', kind: 'area', required: true, placeholder: 'ann@lab.example.org, ben@lab.example.org', hint: 'One or more. Somebody who has an account already only gets the role.' },
    ...(mayGrant
      ? [
          { path: 'projectId', label: 'Project', kind: 'select' as const, options: [['', 'none yet'] as [string, string], ...(projects.data ?? []).map((p): [string, string] => [p.id, p.name])] },
          { path: 'roleId', label: 'Role', kind: 'select' as const, when: (v: Spec) => textAt(v, 'projectId') !== '', required: true, options: [['', 'Choose…'] as [string, string], ...(roles.data ?? []).map((r): [string, string] => [String(r.id), r.name])] },
        ]
      : []),
  ];
  const save = async (value: Spec) => {
    const made: [string, string][] = [];
    const emails = emailsIn(textAt(value, 'emails'));
    try {
      for (const email of emails) {
        const password = await account(email);
        if (password !== null) made.push([email, password]);
        if (textAt(value, 'projectId')) await grant(email, Number(value.roleId), textAt(value, 'projectId'));
      }
    } finally {
      // Passwords that were made are shown once, also when a later person was refused.
      for (const key of ['user', 'access-rule']) void client.invalidateQueries({ queryKey: [key] });
      if (made.length > 0) onDone(made);
    }
    if (made.length === 0) toast(alreadyThere(emails.length, textAt(value, 'projectId') !== ''));
  };
  const usual = roles.data?.find((r) => USUAL_ROLE.test(r.name));
  // The form starts with what is usual, so it waits for the names of roles.
  if (allowed('roles') && roles.isPending) return null;
  return <EntityDialog title="Invite people" action="Invite" fields={fields} initial={{ projectId, roleId: usual ? String(usual.id) : '' }} save={save} onClose={onClose} />;
}
