import { describe, expect, it } from 'vitest';
import type { Node } from '@/api/queries';
import { declaredGpus, initialsOf, stateOf, workOn, type ShownGpu } from '@/pages/nodes/gpu-state';

const READY = { name: 'n1', status: 'Ready', gpuInfo: { gpuCount: 1, gpuType: 'A100' } } as unknown as Node;
const gpu = (part: Partial<ShownGpu>): ShownGpu => ({ uuid: 'g', node: 'n1', model: 'A100', memory: '40Gi', declared: true, isolation: 'declared', fault: '', foreign: '0Mi', heldByOthers: 0, workloads: [], ...part });
const holder = (id: string, userName: string) => ({ id, name: id, projectName: 'p', userName, part: 0.5, isolation: 'declared' as const });

describe('a GPU', () => {
  it('is free only when no work holds it', () => {
    expect(stateOf(gpu({}), READY)).toBe('free');
    expect(stateOf(gpu({ workloads: [holder('a', 'lena@lab')] }), READY)).toBe('declared');
  });

  it('is not free when work that the person may not see holds it', () => {
    expect(stateOf(gpu({ heldByOthers: 0.5 }), READY)).toBe('others');
  });

  it('is not called free when the server tells nothing about it', () => {
    expect(declaredGpus(READY).map((one) => stateOf(one, READY))).toEqual(['unknown']);
  });

  it('is out of service on a drained node', () => {
    expect(stateOf(gpu({}), { ...READY, drain: { reason: 'fan', by: 'a', since: '' } } as unknown as Node)).toBe('drained');
  });

  it('names the person who has it, or says how many share it', () => {
    expect(initialsOf(gpu({ workloads: [holder('a', 'lena@lab')] }))).toBe('LE');
    expect(initialsOf(gpu({ workloads: [holder('a', 'lena@lab'), holder('b', 'noor@lab')] }))).toBe('2×');
  });

  it('counts a workload on several GPUs once', () => {
    expect(workOn([gpu({ workloads: [holder('a', 'x')] }), gpu({ workloads: [holder('a', 'x')], heldByOthers: 1 })])).toEqual({ seen: 1, others: true });
  });
});
