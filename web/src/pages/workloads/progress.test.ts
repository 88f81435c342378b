import { describe, expect, it } from 'vitest';
import type { Run } from '@/api/runs';
import { progressOf } from '@/pages/workloads/progress';

const run = (metrics: unknown[]) => ({ metrics }) as unknown as Run;

describe('progress', () => {
  it('is the newest step with its metric', () => {
    expect(progressOf(run([{ name: 'acc', step: 3, value: 0.5 }, { name: 'loss', step: 1200, value: 0.3125 }]))).toBe('step 1,200, loss 0.3125');
  });
  it('is unknown, not 0, without a metric', () => {
    expect(progressOf(run([]))).toBeNull();
    expect(progressOf(undefined)).toBeNull();
  });
});
