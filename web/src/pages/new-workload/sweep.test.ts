import { describe, expect, it } from 'vitest';
import { itemsOf, parseSweep, sizeOf } from '@/pages/new-workload/sweep';

describe('a sweep', () => {
  it('is read from names and values', () => {
    expect(parseSweep('lr=0.1, 0.01; bs=16')).toEqual([{ name: 'lr', values: ['0.1', '0.01'] }, { name: 'bs', values: ['16'] }]);
    expect(parseSweep('')).toEqual([]);
    expect(parseSweep('lr')).toBeNull();
    expect(parseSweep('lr=1; lr=2')).toBeNull();
  });

  it('makes one workload per combination, with the values in the command and as variables', () => {
    const parameters = parseSweep('lr=0.1,0.2; bs=8,16') ?? [];
    expect(sizeOf(parameters)).toBe(4);
    const items = itemsOf('tune', { command: 'python t.py --lr {lr} --bs {bs} ${HOME}', environmentVariables: [{ name: 'A', value: '1' }] }, parameters, 'abc');
    expect(items.map((i) => i.name)).toEqual(['tune-0', 'tune-1', 'tune-2', 'tune-3']);
    expect(items[1]?.spec).toEqual({
      command: 'python t.py --lr 0.1 --bs 16 ${HOME}',
      environmentVariables: [{ name: 'A', value: '1' }, { name: 'PARAM_lr', value: '0.1' }, { name: 'PARAM_bs', value: '16' }, { name: 'GPUYARD_ARRAY_INDEX', value: '1' }],
      array: { id: 'abc', index: 1, size: 4 },
    });
  });
});
