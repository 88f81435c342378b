// What the list of workloads asks for, from what stands in the address.
import { emptyList, fromParams, toQuery, type ListQuery, type ListState } from '@/lib/filter';
import { PHASES } from '@/ui/phase';
import { TYPES } from '@/pages/workloads/kinds';

export const SETS = { phase: PHASES as readonly string[], type: TYPES as readonly string[] };

/** The newest first, unless the address says otherwise. */
export const USUAL: Partial<ListState> = { sort: 'createdAt', descending: true };

/** The query of a list within a project, or within all of them for ''. */
export function workloadsQuery(state: ListState, project: string): ListQuery {
  const all = project ? { ...state, conditions: [...state.conditions, { field: 'projectId', op: '==' as const, value: project }] } : state;
  return toQuery(all, SETS);
}

export const stateOf = (params: URLSearchParams): ListState => fromParams(params, { ...emptyList(), ...USUAL });
