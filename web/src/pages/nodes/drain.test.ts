import { describe, expect, it } from 'vitest';
import { drainWords, leftWords, orderOf } from '@/pages/nodes/drain';
import type { ShownGpu } from '@/pages/nodes/gpu-state';

const gpu = (part: Partial<ShownGpu>) => ({ workloads: [], heldByOthers: 0, ...part }) as unknown as ShownGpu;
const work = (id: string) => ({ id }) as ShownGpu['workloads'][number];

describe('a drain', () => {
  it('says what is left, once for work on several GPUs', () => {
    expect(drainWords([gpu({ workloads: [work('a')] }), gpu({ workloads: [work('a')] })])).toBe('Draining, 1 left');
    expect(drainWords([gpu({ heldByOthers: 1 })])).toBe('Draining, work of others left');
    expect(drainWords([gpu({})])).toBe('Drained');
  });
  it('says before it what goes on, and promises nothing of what is not known', () => {
    expect(leftWords([gpu({ workloads: [work('a')] }), gpu({ workloads: [work('b')] })])).toBe('2 workloads hold GPUs here and go on to the end.');
    expect(leftWords([gpu({ workloads: [work('a')] })])).toBe('1 workload holds GPUs here and goes on to the end.');
    expect(leftWords([gpu({})])).toBe('Nothing holds a GPU here now.');
    expect(leftWords(null)).toBe('Running work goes on to its end.');
  });
  it('tells the server only the times that were chosen', () => {
    const now = new Date('2026-11-18T12:00:00Z');
    expect(orderOf({ reason: 'fan', stop: 'never', stopAt: '2026-11-19T08:00' }, now)).toEqual({ reason: 'fan' });
    expect(orderOf({ reason: 'fan', stop: 'now' }, now)).toEqual({ reason: 'fan', stopAt: '2026-11-18T12:00:00.000Z' });
    const both = orderOf({ reason: 'fan', stop: 'at', stopAt: '2026-11-19T08:00', until: '2026-11-20T08:00' }, now);
    expect([Date.parse(both.stopAt ?? ''), Date.parse(both.until ?? '')]).toEqual([new Date('2026-11-19T08:00').getTime(), new Date('2026-11-20T08:00').getTime()]);
  });
});
