// What the list of runs asks for, from what stands in the address.
import { toQuery, type ListQuery, type ListState } from '@/lib/filter';
import { STATUSES } from '@/pages/runs/status';

export const SETS = { status: STATUSES as readonly string[] };

/** The newest first, unless the address says otherwise. */
export const USUAL: Partial<ListState> = { sort: 'startedAt', descending: true };

export interface RunsQuery extends ListQuery {
  projectId?: string;
  experiment?: string;
  view?: string;
}

export interface Within {
  project: string;
  experiment: string;
  deleted: boolean;
}

export function runsQuery(state: ListState, { project, experiment, deleted }: Within): RunsQuery {
  return {
    ...toQuery(state, SETS),
    ...(project ? { projectId: project } : {}),
    ...(experiment ? { experiment } : {}),
    ...(deleted ? { view: 'deleted' } : {}),
  };
}
