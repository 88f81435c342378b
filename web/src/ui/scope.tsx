// Where something lies: the tenant, a cluster, a department or a project.
import { useQuery } from '@tanstack/react-query';
import { queries, useAllowed } from '@/api/queries';
import { Field } from '@/ui/field';

export interface ScopeValue {
  type: string;
  id: string;
}

export const writeScope = (scope: ScopeValue) => `${scope.type}:${scope.id}`;
export function readScope(text: string): ScopeValue {
  const cut = text.indexOf(':');
  return { type: text.slice(0, cut), id: text.slice(cut + 1) };
}

export function useScopeNames(): (type: string, id: string | number | null | undefined) => string {
  const allowed = useAllowed();
  const projects = useQuery({ ...queries.projects, enabled: allowed('project') });
  const departments = useQuery({ ...queries.departments, enabled: allowed('department') });
  return (type, id) => {
    if (type === 'project') return `project ${projects.data?.find((p) => p.id === String(id))?.name ?? id}`;
    if (type === 'department') return `department ${departments.data?.find((d) => d.id === String(id))?.name ?? id}`;
    return type === 'tenant' || type === 'system' ? 'everywhere' : type;
  };
}

export function ScopeField({ value, onChange, hint }: { value: string; onChange: (text: string) => void; hint?: string }) {
  const allowed = useAllowed();
  const projects = useQuery({ ...queries.projects, enabled: allowed('project') });
  const departments = useQuery({ ...queries.departments, enabled: allowed('department') });
  const clusters = useQuery({ ...queries.clusters, enabled: allowed('cluster') });
  return (
    <Field label="Scope" hint={hint}>
      <select className="select" name="scope" required value={value} onChange={(e) => onChange(e.target.value)}>
        <option value="tenant:1">Everywhere</option>
        <optgroup label="Clusters">
          {clusters.data?.map((c) => (
            <option key={c.uuid} value={`cluster:${c.uuid}`}>
              Cluster {c.name}
            </option>
          ))}
        </optgroup>
        <optgroup label="Departments">
          {departments.data?.map((d) => (
            <option key={d.id} value={`department:${d.id}`}>
              Department {d.name}
            </option>
          ))}
        </optgroup>
        <optgroup label="Projects">
          {projects.data?.map((p) => (
            <option key={p.id} value={`project:${p.id}`}>
              Project {p.name}
            </option>
          ))}
        </optgroup>
      </select>
    </Field>
  );
}
