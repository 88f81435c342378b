import { describe, expect, it } from 'vitest';
import { aligned, lineOf, smooth } from '@/pages/runs/lines';
import { differing, grouped, number, spread } from '@/pages/runs/values';
import type { Run } from '@/api/runs';

const series = { runId: 'a', metric: 'loss', points: 3, steps: [1, 2, 3], times: [3000, 1000, 2000], values: [4, -1, null] };

describe('a line', () => {
  it('follows the steps, or the clock from its first point on', () => {
    expect(lineOf(series, { axis: 'step', smoothing: 0, log: false })).toEqual({ x: [1, 2, 3], y: [4, -1, null] });
    expect(lineOf(series, { axis: 'relative', smoothing: 0, log: false })).toEqual({ x: [0, 1, 2], y: [-1, null, 4] });
  });
  it('has no point on a logarithmic axis where the value has no logarithm', () => {
    expect(lineOf(series, { axis: 'step', smoothing: 0, log: true }).y).toEqual([4, null, null]);
  });
  it('is smoothed without a start at zero, and keeps its gaps', () => {
    expect(smooth([2, null, 2], 0.9)).toEqual([2, null, 2].map((v) => (v === null ? null : expect.closeTo(2))));
  });
  it('shares an axis with others', () => {
    expect(aligned([{ x: [1, 3], y: [10, 30] }, { x: [2, 3], y: [5, 6] }])).toEqual([[1, 2, 3], [10, null, 30], [null, 5, 6]]);
  });
});

describe('values of runs', () => {
  const run = (params: Record<string, string>) => ({ params, metrics: [], tags: {} }) as unknown as Run;
  it('are short', () => {
    expect([0.00001234, 1200000, 0.123456789, 1e12].map(number)).toEqual(['1.234e-5', '1200000', '0.123457', '1000000000000']);
  });
  it('differ or not', () => {
    expect(differing([run({ lr: '1', seed: '7' }), run({ lr: '2', seed: '7' })])).toEqual(['lr']);
  });
  it('are summed up by group, numbers only', () => {
    expect(spread([1, 3, 'NaN'])).toEqual({ mean: 2, deviation: 1 });
    expect(spread(['NaN'])).toBeNull();
    expect(grouped([1, 2, 3], (n) => (n % 2 ? 'odd' : 'even')).map((g) => [g.name, g.rows.length])).toEqual([['odd', 2], ['even', 1]]);
  });
});
