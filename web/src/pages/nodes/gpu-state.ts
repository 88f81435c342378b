// What a GPU is doing, as one word.
import type { Gpu } from '@/api/engine';
import type { Node } from '@/api/queries';
import { parseBytes } from '@/lib/quantity';

export type GpuState = 'free' | 'busy' | 'idle' | 'declared' | 'others' | 'foreign' | 'sick' | 'drained' | 'unknown';

export const STATES: { id: GpuState; label: string; mark: string; about: string }[] = [
  { id: 'free', label: 'Free', mark: '', about: 'no work holds it' },
  { id: 'busy', label: 'Busy', mark: '●', about: 'in use and computing' },
  { id: 'idle', label: 'Idle', mark: '○', about: 'allocated, but not computing' },
  { id: 'declared', label: 'In use', mark: '◇', about: 'in use; nothing measures this GPU' },
  { id: 'others', label: 'In use by another project', mark: '╱', about: 'in use by work that your roles do not show' },
  { id: 'foreign', label: 'Used outside Gpuyard', mark: '◐', about: 'used by a process that Gpuyard did not start' },
  { id: 'sick', label: 'Faulty', mark: '✕', about: 'reports a fault' },
  { id: 'drained', label: 'Drained', mark: '–', about: 'its node takes no new work' },
  { id: 'unknown', label: 'Not known', mark: '?', about: 'the server tells nothing about it' },
];

export const isDrained = (node: Node | undefined) => Boolean(node?.drain);

/** A GPU of which the server only says that it exists is not called free. */
export type ShownGpu = Gpu & { untold?: true };

export function stateOf(gpu: ShownGpu, node: Node | undefined): GpuState {
  if (gpu.fault) return 'sick';
  if ((parseBytes(gpu.foreign) ?? 0) > 0) return 'foreign';
  if (gpu.workloads.length > 0) {
    if (gpu.declared) return 'declared';
    if (gpu.busyPercent === null || gpu.busyPercent === undefined) return 'declared';
    return gpu.busyPercent >= 3 ? 'busy' : 'idle';
  }
  if (gpu.heldByOthers > 0) return 'others';
  if (isDrained(node)) return 'drained';
  if (gpu.untold || (node && node.status !== 'Ready')) return 'unknown';
  return 'free';
}

/** How many workloads of the GPUs hold at least a part of one: those the person sees, and whether there are others. */
export function workOn(gpus: Gpu[]): { seen: number; others: boolean } {
  const seen = new Set(gpus.flatMap((gpu) => gpu.workloads.map((w) => w.id)));
  return { seen: seen.size, others: gpus.some((gpu) => gpu.heldByOthers > 0) };
}

/** Squares for a server that lists no GPUs: as many as its nodes declare. */
export function declaredGpus(node: Node): ShownGpu[] {
  return Array.from({ length: node.gpuInfo?.gpuCount ?? 0 }, (_, i) => ({
    uuid: `${node.name}/${i}`,
    node: node.name,
    model: node.gpuInfo?.gpuType ?? 'GPU',
    memory: node.gpuMemory ?? '',
    declared: node.declared ?? true,
    isolation: 'declared' as const,
    fault: '',
    foreign: '0Mi',
    heldByOthers: 0,
    workloads: [],
    untold: true,
  }));
}

/** How strongly parts of these GPUs are kept apart; mostly one level. */
export const levelsOf = (gpus: Gpu[]) => [...new Set(gpus.map((gpu) => gpu.isolation))];

/** Two letters of the person who has it: "LE" for lena@lab.example. */
export function initialsOf(gpu: Gpu): string {
  const people = [...new Set(gpu.workloads.map((w) => w.userName))];
  return people.length === 1 ? (people[0] ?? '').slice(0, 2).toUpperCase() : people.length > 1 ? `${people.length}×` : '';
}
