import type { Schemas } from '@/api/client';
import { at, put, type Spec } from '@/lib/paths';

type Action = 'create' | 'read' | 'update' | 'delete';
const ACTIONS: Action[] = ['read', 'create', 'update', 'delete'];

interface Chosen {
  resourceType: string;
  actions: string[];
}

const GROUPS: Record<string, string> = {
  organization: 'Organisation',
  'physical-resource': 'Cluster',
  iam: 'Access',
  dashboard: 'Dashboards',
  workload: 'Work',
  'workload-asset': 'Assets',
};

interface Props {
  known: Schemas['Permission'][];
  value: Spec;
  onChange?: (value: Spec) => void;
}

export function PermissionTable({ known, value, onChange }: Props) {
  const chosen = (at(value, 'permissions') as Chosen[] | undefined) ?? [];
  const has = (type: string, action: string) => chosen.some((p) => p.resourceType === type && p.actions.includes(action));
  const toggle = (type: string, action: string) => {
    const old = chosen.find((p) => p.resourceType === type)?.actions ?? [];
    const actions = old.includes(action) ? old.filter((a) => a !== action) : [...old, action];
    const rest = chosen.filter((p) => p.resourceType !== type);
    onChange?.(put(value, 'permissions', actions.length > 0 ? [...rest, { resourceType: type, actions }] : rest));
  };
  return (
    <div className="permission-box" tabIndex={0} role="region" aria-label="Permissions">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Resource</th>
            {ACTIONS.map((action) => (
              <th key={action} scope="col">
                {action}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {known.map((p) => (
            <tr key={p.resourceType}>
              <td>
                {p.displayName} <span className="tiny muted">{GROUPS[p.groupId] ?? p.groupId}</span>
              </td>
              {ACTIONS.map((action) => (
                <td key={action}>
                  {(p.actions as string[]).includes(action) ? (
                    <input type="checkbox" aria-label={`${action} ${p.displayName}`} checked={has(p.resourceType, action)} disabled={!onChange} onChange={() => toggle(p.resourceType, action)} />
                  ) : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
