import { describe, expect, it } from 'vitest';
import { finderOf, matchingLines } from '@/pages/workload/log-search';

const TEXT = 'epoch 1 loss 0.5\nWARN slow disk\nepoch 2 loss 0.25\n[a.b] end\n';
const lines = (wanted: string, most = 10) => matchingLines(TEXT, finderOf(wanted) ?? (() => null), most);

describe('searching a whole log', () => {
  it('gives each line with a hit once, capitals or not', () => {
    expect(lines('LOSS')).toEqual(['epoch 1 loss 0.5', 'epoch 2 loss 0.25']);
    expect(lines('o')).toEqual(['epoch 1 loss 0.5', 'WARN slow disk', 'epoch 2 loss 0.25']);
  });

  it('takes signs of patterns for what they are, unless between slashes', () => {
    expect(lines('[a.b]')).toEqual(['[a.b] end']);
    expect(lines('/^epoch \\d .*5$/')).toEqual(['epoch 1 loss 0.5', 'epoch 2 loss 0.25']);
    expect(finderOf('/(/')).toBeNull();
  });

  it('stops when enough is found', () => {
    expect(lines('epoch', 1)).toEqual(['epoch 1 loss 0.5']);
  });

  it('ends with patterns that match nothing but an empty place', () => {
    expect(lines('/x*/')).toHaveLength(4);
  });
});
