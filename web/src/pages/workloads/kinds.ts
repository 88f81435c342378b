// What a workload's type means for its routes and its picture.
import { Bot, BrainCircuit, Network, NotebookPen, type LucideIcon } from '@/ui/icons';
import { api, ApiError } from '@/api/client';
import { useAllowed, type Workload } from '@/api/queries';

export const TYPES = ['Workspace', 'Training', 'Distributed', 'Inference'] as const;
export type WorkloadType = (typeof TYPES)[number];

const ROUTES: Record<WorkloadType, string> = {
  Workspace: 'workspaces',
  Training: 'trainings',
  Distributed: 'distributed',
  Inference: 'inferences',
};

export const ICONS: Record<string, LucideIcon> = {
  Workspace: NotebookPen,
  Training: BrainCircuit,
  Distributed: Network,
  Inference: Bot,
};

export function kindRoute(type: string): string {
  return `/api/v1/workloads/${ROUTES[type as WorkloadType] ?? 'trainings'}`;
}

// Distributed work is governed as training.
const RESOURCES: Record<WorkloadType, string> = { Workspace: 'workspaces', Training: 'trainings', Distributed: 'trainings', Inference: 'inferences' };

/** Whether the roles of the signed-in person include an action on workloads of a type. */
export function useMayAct(): (type: string, action: string) => boolean {
  const allowed = useAllowed();
  return (type, action) => allowed(RESOURCES[type as WorkloadType] ?? 'workloads', action) || allowed('workloads', action);
}

/** Whether they include making any work at all. */
export function useMayCreate(): boolean {
  const may = useMayAct();
  return TYPES.some((type) => may(type, 'create'));
}

export const isEnded = (phase: string) => ['Completed', 'Failed', 'Stopped', 'Deleted', 'Deleting'].includes(phase);
/** Stopped work is resumed instead. */
export const mayRunAgain = (phase: string) => phase === 'Completed' || phase === 'Failed';
export const isWaiting = (phase: string) => ['Creating', 'Pending', 'Resuming'].includes(phase);
export const isRunning = (phase: string) => ['Running', 'Initializing', 'Degraded', 'Updating'].includes(phase);

type Some = Pick<Workload, 'id' | 'type'>;
export const suspend = (w: Some) => api.post(`${kindRoute(w.type)}/${w.id}/suspend`);
export const resume = (w: Some) => api.post(`${kindRoute(w.type)}/${w.id}/resume`);
export const remove = (w: Some) => api.del(`${kindRoute(w.type)}/${w.id}`);

/** Does one thing to many; says how many were refused and why the first one was. */
export async function each(rows: Some[], run: (w: Some) => Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled(rows.map(run));
  const refused = results.filter((r): r is PromiseRejectedResult => r.status === 'rejected');
  if (refused.length === 0) return;
  const first = refused[0]?.reason as Error;
  throw new ApiError(0, `${refused.length} of ${rows.length} refused: ${first.message}`);
}
