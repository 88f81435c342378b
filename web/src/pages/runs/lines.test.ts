import { describe, expect, it } from 'vitest';
import { legendOf } from '@/pages/runs/lines';
import type { Attempt } from '@/api/engine';
import { hoursAt } from '@/pages/runs/gpu-hours';
import { aligned, bandOf, lineOf, smooth } from '@/pages/runs/lines';
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

describe('a line on other axes', () => {
  it('runs along the GPU-hours that its workload had held', () => {
    const attempt = (startedAt: string, endedAt: string | null, gpus: string[]) => ({ number: 1, id: 'a', placedAt: startedAt, startedAt, endedAt, nodes: [], gpus });
    const hours = hoursAt([attempt('2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z', ['0', '1']), attempt('2026-01-01T03:00:00Z', null, ['0'])] as Attempt[], 0.5);
    const at = (text: string) => hours(Date.parse(text));
    expect([at('2025-12-31T00:00:00Z'), at('2026-01-01T00:30:00Z'), at('2026-01-01T02:00:00Z'), at('2026-01-01T05:00:00Z')]).toEqual([0, 0.5, 1, 2]);
    const look = { axis: 'gpu' as const, smoothing: 0, log: false };
    expect(lineOf(series, look, (moment) => moment / 1000)).toEqual({ x: [1, 2, 3], y: [-1, null, 4] });
    expect(lineOf(series, look)).toEqual({ x: [], y: [] });
  });
  it('has no point at 0 of a logarithmic axis', () => {
    expect(lineOf({ ...series, steps: [0, 1, 2] }, { axis: 'step', smoothing: 0, log: false, logX: true }).x).toEqual([1, 2]);
  });
});

describe('a band', () => {
  it('is the mean and standard deviation of lines, between their points too', () => {
    const band = bandOf([
      { x: [0, 2], y: [0, 4] },
      { x: [0, 1, 2], y: [2, 2, 2] },
    ]);
    expect(band.x).toEqual([0, 1, 2]);
    expect(band.mean).toEqual([1, 2, 3]);
    expect(band.low).toEqual([0, 2, 2]);
    expect(band.high).toEqual([2, 2, 4]);
  });
  it('goes on with the lines that are still there, and leaves no value out', () => {
    const band = bandOf([{ x: [0, 1], y: [1, 3] }, { x: [0, 1, 2], y: [3, null, 5] }, { x: [], y: [] }]);
    expect(band.mean).toEqual([2, 3.5, 5]);
    expect(bandOf([]).x).toEqual([]);
  });
  it('stays small, however many points there are', () => {
    const x = Array.from({ length: 10_000 }, (_, i) => i);
    expect(bandOf([{ x, y: x }]).x.length).toBeLessThan(600);
  });
});

describe('the legend of a chart', () => {
  it('says the newest value where nothing is pointed at, and none where a line has none', () => {
    const row = [3, null, 2, null];
    expect([legendOf(row, null, null), legendOf(row, null, 1), legendOf(row, 3, 0), legendOf([null], null, null), legendOf(undefined, null, null)]).toEqual([2, null, 3, null, null]);
  });
});
