// One question per state of work. The server counts: a person with a sweep of hundreds still sees
// every notebook that runs.
import { queries } from '@/api/queries';
import { emptyList, filterBy } from '@/lib/filter';
import { SETS } from '@/pages/workloads/query';

export type Part = 'running' | 'waiting' | 'failed' | 'ended';

const PHASES: Record<Part, string[]> = {
  running: ['Running', 'Initializing', 'Degraded', 'Updating', 'Stopping'],
  waiting: ['Creating', 'Pending', 'Resuming'],
  failed: ['Failed'],
  ended: ['Completed', 'Stopped'],
};
const ROWS: Record<Part, number> = { running: 100, waiting: 50, failed: 8, ended: 8 };

export const RECENT_DAYS = 7;
const HOUR = 3_600_000;

/** Whole hours, so that the question stays the same while a page is open. */
export const recentSince = (now: number) => new Date(Math.floor(now / HOUR) * HOUR - RECENT_DAYS * 24 * HOUR).toISOString().replace('.000', '');

export function myWorkQuery(part: Part, username: string, project: string, now: number) {
  const conditions = [`submittedBy==${username}`, project ? `projectId==${project}` : '', part === 'failed' ? `completedAt>=${recentSince(now)}` : ''].filter(Boolean);
  const phases = filterBy({ ...emptyList(), any: { phase: PHASES[part] } }, SETS);
  const order = part === 'running' || part === 'waiting' ? 'createdAt' : 'completedAt';
  return { filterBy: [...conditions, phases].join(','), sortBy: order, sortOrder: 'desc', limit: ROWS[part] };
}

export const myWork = (part: Part, username: string, project: string, now: number) => queries.workloads(myWorkQuery(part, username, project, now));
