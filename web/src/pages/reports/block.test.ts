import { describe, expect, it } from 'vitest';
import { readBlock, writeBlock } from '@/pages/reports/block';

describe('a chart block', () => {
  it('names runs, or a filter, and metrics', () => {
    const { chart, problems } = readBlock('metric: loss, val/loss\nfilter: params.lr==0.01,metrics.acc>=0.9\ngroup: params.lr\nsmoothing: 0.6\nby: GPU-hours\nlog: yes\n');
    expect(problems).toEqual([]);
    expect(chart).toMatchObject({ kind: 'line', metrics: ['loss', 'val/loss'], filter: 'params.lr==0.01,metrics.acc>=0.9', group: 'params.lr', smoothing: 0.6, axis: 'gpu', log: true });
    expect(readBlock('runs: a, b\nmetric: x').chart.runs).toEqual(['a', 'b']);
  });
  it('says what is wrong with it instead of guessing', () => {
    expect(readBlock('').problems).toEqual(['it names no metric: write “metric: loss”']);
    expect(readBlock('metric: x\ncolour: red').problems[0]).toMatch(/^“colour” means nothing here/);
    expect(readBlock('metric: x\n__proto__: 1\nconstructor: 2').problems).toHaveLength(2);
    expect(readBlock('metric: x\nkind: pie').problems).toEqual(['kind is line, bar or scatter']);
    expect(readBlock('metric: x\nlimit: 1e9').problems).toHaveLength(1);
    expect(readBlock('metric: x\nkind: scatter').problems).toEqual(['a scatter chart needs “x: params.NAME”']);
    expect(readBlock('metric: x\nsmoothing: NaN').problems).toHaveLength(1);
  });
  it('is written as it is read', () => {
    const { chart } = readBlock('kind: scatter\nmetric: acc\nx: params.lr\nlog x: yes\nsort: -metrics.acc\nlimit: 20');
    const text = writeBlock(chart);
    expect(readBlock(text.split('\n').slice(1, -1).join('\n')).chart).toEqual(chart);
  });
});
