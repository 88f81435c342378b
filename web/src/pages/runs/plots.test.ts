import { describe, expect, it } from 'vitest';
import type { Run } from '@/api/runs';
import { typedColumns } from '@/pages/runs/export';
import { sizeIn } from '@/pages/runs/files';
import { byValue, nameIn, paramText } from '@/pages/runs/values';
import { barsOf, bestOf, fieldNumber, placesOf, scatterOf, ticksOf } from '@/pages/runs/plots';

const run = (id: string, params: Record<string, string>, metrics: Record<string, unknown>) =>
  ({ id, name: id, params, tags: {}, status: 'RUNNING', startedAt: '2026-01-01T00:00:00Z', metrics: Object.entries(metrics).map(([name, value]) => ({ name, value, step: 0 })) }) as unknown as Run;
const list = [run('a', { lr: '0.1', model: 'x' }, { loss: 2 }), run('b', { lr: '0.01', model: 'x' }, { loss: 4 }), run('c', { lr: '1e-3', model: 'y' }, { loss: 'NaN' })];

describe('runs as points', () => {
  it('stand where their numbers are', () => {
    expect(fieldNumber(list[2] as Run, 'params.lr')).toBe(0.001);
    const { spots, names, missing } = scatterOf(list, 'params.lr', 'metrics.loss', { x: true, y: false });
    expect(spots.map((s) => [s.run.id, s.x, s.y])).toEqual([['a', 0.1, 2], ['b', 0.01, 4]]);
    expect([names, missing]).toEqual([null, 1]);
  });
  it('that a log scale cannot show are not said to lack a value', () => {
    const below = [...list, run('d', { lr: '0' }, { loss: 1 }), run('e', { lr: '1' }, { loss: -1 })];
    const { spots, missing, belowLog } = scatterOf(below, 'params.lr', 'metrics.loss', { x: true, y: true });
    expect([spots.length, missing, belowLog]).toEqual([2, 1, 2]);
  });
  it('stand at words where there are no numbers', () => {
    const { spots, names } = scatterOf(list, 'params.model', 'metrics.loss', { x: true, y: false });
    expect(names).toEqual(['x', 'y']);
    expect(spots.map((s) => s.x)).toEqual([0, 0]);
  });
});

describe('runs as bars', () => {
  it('are each its own, or the mean of a group', () => {
    expect(barsOf(list, 'metrics.loss', '').map((b) => [b.name, b.value])).toEqual([['a', 2], ['b', 4]]);
    expect(barsOf(list, 'metrics.loss', 'params.model')).toEqual([{ name: 'x', index: 0, value: 3, deviation: 1, runs: 2 }]);
  });
});

describe('bars', () => {
  it('of values below 0 lie on the other side of it', () => {
    expect(placesOf([3, -1, 0])).toEqual([{ left: 25, width: 75 }, { left: 0, width: 25 }, { left: 25, width: 0 }]);
    expect(placesOf([2, 4])).toEqual([{ left: 0, width: 50 }, { left: 0, width: 100 }]);
    expect(placesOf([0])).toEqual([{ left: 0, width: 0 }]);
  });
});

describe('a file', () => {
  it('has the size that its own folder lists, and none elsewhere', () => {
    const files = [{ name: 'a.txt', bytes: 0, folder: false }, { name: 'sub', bytes: 0, folder: true }];
    expect(sizeIn(files, 'out', 'out/a.txt')).toBe(0);
    expect(sizeIn(files, 'out', 'a.txt')).toBeUndefined();
    expect(sizeIn(files, 'out', 'out/sub')).toBeUndefined();
  });
});

describe('names of experiments', () => {
  it('come with their project where two are the same', () => {
    const all = [{ name: 'Default', projectName: 'vision' }, { name: 'Default', projectName: 'robotics' }, { name: 'ppo', projectName: 'robotics' }];
    expect(all.map((one) => nameIn(all, one))).toEqual(['Default (vision)', 'Default (robotics)', 'ppo']);
  });
});

describe('names of groups', () => {
  it('stand in the order of their numbers, then of the alphabet', () => {
    expect(['b', '0.1', '', '0.01', 'a', '1e-3', '10'].sort(byValue)).toEqual(['1e-3', '0.01', '0.1', '10', '', 'a', 'b']);
  });
});

describe('the best run', () => {
  it('has the least or the greatest value that is a number', () => {
    expect(bestOf(list, 'metrics.loss', 'least')?.id).toBe('a');
    expect(bestOf(list, 'metrics.loss', 'greatest')?.id).toBe('b');
    expect(bestOf(list, 'metrics.none', 'least')).toBeNull();
  });
});

describe('places for lines across', () => {
  it('are round numbers, and powers on a logarithmic axis', () => {
    expect(ticksOf(0, 1, false)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticksOf(-3, 7, false)).toEqual([-2, 0, 2, 4, 6]);
    expect(ticksOf(0.001, 10, true)).toEqual([0.001, 0.01, 0.1, 1, 10]);
    expect(ticksOf(5, 5, false)).toEqual([5]);
    expect(ticksOf(2, 8, true)).toEqual([2, 8]);
  });
});

describe('typed columns', () => {
  it('keep numbers as numbers and what is missing as nothing', () => {
    const columns = new Map(typedColumns(list).map((c) => [c.name, c]));
    expect(columns.get('metrics.loss')).toMatchObject({ type: 'DOUBLE', data: [2, 4, NaN] });
    expect(columns.get('params.lr')).toMatchObject({ type: 'STRING', data: ['0.1', '0.01', '1e-3'] });
    expect(columns.get('endedAt')?.data).toEqual([null, null, null]);
  });
});

describe('a parameter', () => {
  it('shows the digits that matter, and else what it was told', () => {
    expect(['9.999999999999999e-06', '0.30000000000000004', '0.1', 'resnet50', '20261119123456789', '1e-3'].map(paramText)).toEqual(['1e-5', '0.3', '0.1', 'resnet50', '20261119123456789', '1e-3']);
  });
});
