// What a GPU is doing, as one word.
import type { Gpu } from '@/api/engine';
import type { Node } from '@/api/queries';
import { parseBytes } from '@/lib/quantity';

export type GpuState = 'free' | 'busy' | 'idle' | 'foreign' | 'sick' | 'drained' | 'declared' | 'unknown';

export const STATES: { id: GpuState; label: string; mark: string; about: string }[] = [
  { id: 'free', label: 'Free', mark: '', about: 'nobody holds it' },
  { id: 'busy', label: 'Busy', mark: '●', about: 'held, and computing' },
  { id: 'idle', label: 'Held idle', mark: '○', about: 'held, but not computing' },
  { id: 'declared', label: 'Held, declared', mark: '◇', about: 'held; the GPU is declared, so nothing is measured' },
  { id: 'foreign', label: 'Foreign', mark: '◐', about: 'used by a process that Gpuyard did not start' },
  { id: 'sick', label: 'Sick', mark: '✕', about: 'reports a fault' },
  { id: 'drained', label: 'Drained', mark: '▤', about: 'its node takes no new work' },
  { id: 'unknown', label: 'Not known', mark: '?', about: 'the server tells nothing about it' },
];

export const isDrained = (node: Node | undefined) => Boolean(node?.drain);

export function stateOf(gpu: Gpu, node: Node | undefined): GpuState {
  if (gpu.fault) return 'sick';
  if ((parseBytes(gpu.foreign) ?? 0) > 0) return 'foreign';
  if (gpu.workloads.length > 0) {
    if (gpu.declared || gpu.busyPercent === null || gpu.busyPercent === undefined) return gpu.declared ? 'declared' : 'busy';
    return gpu.busyPercent >= 3 ? 'busy' : 'idle';
  }
  if (isDrained(node)) return 'drained';
  if (node && node.status !== 'Ready') return 'unknown';
  return 'free';
}

/** Squares for a server that lists no GPUs: as many as its nodes declare. */
export function declaredGpus(node: Node): Gpu[] {
  return Array.from({ length: node.gpuInfo?.gpuCount ?? 0 }, (_, i) => ({
    uuid: `${node.name}/${i}`,
    node: node.name,
    model: node.gpuInfo?.gpuType ?? 'GPU',
    memory: node.gpuMemory ?? '',
    declared: node.declared ?? true,
    isolation: 'declared' as const,
    fault: '',
    foreign: '0Mi',
    workloads: [],
  }));
}

/** How strongly parts of these GPUs are kept apart; mostly one level. */
export const levelsOf = (gpus: Gpu[]) => [...new Set(gpus.map((gpu) => gpu.isolation))];
