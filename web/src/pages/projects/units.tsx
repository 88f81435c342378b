// Departments and projects are edited alike: names, quotas per pool, rules.
import { useQuery } from '@tanstack/react-query';
import { queries, type Department, type Project } from '@/api/queries';
import { at, put, textAt, type Spec } from '@/lib/paths';
import { EntityFields, type FieldSpec } from '@/ui/entity-form';

export type Unit = Project | Department;

export interface PoolQuota {
  nodePool: { id: string; name: string };
  gpu: { deserved: number; limit?: number | null; overQuotaWeight?: number | null };
}

const RULES: FieldSpec[] = [
  { path: 'schedulingRules.interactiveJobMaxIdleDurationSeconds', label: 'Workspaces: stop when idle for', kind: 'duration' },
  { path: 'schedulingRules.interactiveJobTimeLimitSeconds', label: 'Workspaces: time limit', kind: 'duration' },
  { path: 'schedulingRules.trainingJobMaxIdleDurationSeconds', label: 'Trainings: stop when idle for', kind: 'duration' },
  { path: 'schedulingRules.trainingJobTimeLimitSeconds', label: 'Trainings: time limit', kind: 'duration' },
];

/** What the form edits: the unit's own fields, quotas as a list. */
export function editable(unit: Unit | null): Spec {
  if (!unit) return { resources: [] };
  return {
    name: unit.name,
    description: unit.description ?? '',
    parentId: 'parentId' in unit ? unit.parentId : undefined,
    resources: unit.resources,
    schedulingRules: unit.schedulingRules ?? {},
    defaultNodePools: unit.defaultNodePools ?? undefined,
    nodeTypes: unit.nodeTypes ?? undefined,
  };
}

/** What is sent: `null` stands for rules that were taken away. */
export function sendable(value: Spec): Spec {
  const rules = at(value, 'schedulingRules') as Spec | undefined;
  return { ...value, description: textAt(value, 'description'), resources: at(value, 'resources') ?? [], schedulingRules: rules && Object.keys(rules).length > 0 ? rules : null };
}

/** The quota is what a project is made for; its rules come after. */
export function QuotasAndRules({ value, onChange }: { value: Spec; onChange: (value: Spec) => void }) {
  return (
    <>
      <Quotas value={value} onChange={onChange} />
      <EntityFields fields={RULES} value={value} onChange={onChange} />
    </>
  );
}

function Quotas({ value, onChange }: { value: Spec; onChange: (value: Spec) => void }) {
  const pools = useQuery(queries.nodePools);
  const list = (at(value, 'resources') as PoolQuota[] | undefined) ?? [];
  const set = (pool: { id: string; name: string }, field: 'deserved' | 'limit' | 'overQuotaWeight', text: string) => {
    const old = list.find((r) => String(r.nodePool.id) === pool.id) ?? { nodePool: { id: pool.id, name: pool.name }, gpu: { deserved: 0 } };
    const empty = field === 'limit' ? -1 : field === 'deserved' ? 0 : 2;
    const next = { ...old, gpu: { ...old.gpu, [field]: text === '' ? empty : Number(text) } };
    onChange(put(value, 'resources', [...list.filter((r) => String(r.nodePool.id) !== pool.id), next]));
  };
  const shown = (amount: number | null | undefined) => (amount === undefined || amount === null || amount < 0 ? '' : String(amount));
  return (
    <fieldset className="stack tight">
      <legend className="field-label">GPUs per node pool</legend>
      <table className="table quota-table">
        <thead>
          <tr>
            <th scope="col">Pool</th>
            <th scope="col">Quota</th>
            <th scope="col">At most</th>
            <th scope="col">Weight above quota</th>
          </tr>
        </thead>
        <tbody>
          {(pools.data ?? []).map((pool) => {
            const mine = list.find((r) => String(r.nodePool.id) === pool.id);
            const box = (field: 'deserved' | 'limit' | 'overQuotaWeight', label: string, placeholder: string) => (
              <input className="input" type="number" min="0" step="0.1" aria-label={`${label} in ${pool.name}`} placeholder={placeholder} value={shown(mine?.gpu[field])} onChange={(e) => set(pool, field, e.target.value)} />
            );
            return (
              <tr key={pool.id}>
                <td>{pool.name}</td>
                <td>{box('deserved', 'Quota', '0')}</td>
                <td>{box('limit', 'Limit', 'none')}</td>
                <td>{box('overQuotaWeight', 'Weight', '2')}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="field-hint">The quota is guaranteed. What others leave free may be borrowed, shared by weight, up to the limit.</div>
    </fieldset>
  );
}
