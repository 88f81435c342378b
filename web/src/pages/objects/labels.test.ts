import { describe, expect, it } from 'vitest';
import { changeOf } from '@/pages/objects/labels';

describe('labels of a node', () => {
  const before = { pool: 'a100', rack: '7' };
  const to = (...labels: { name: string; value: string }[]) => changeOf(before, { labels });
  it('are sent as what changed, not as a whole', () => {
    expect(to({ name: 'pool', value: 'a100' }, { name: 'rack', value: '8' })).toEqual({ set: { rack: '8' }, remove: [] });
    expect(to({ name: 'pool', value: 'a100' })).toEqual({ set: {}, remove: ['rack'] });
    expect(to({ name: 'pool', value: 'a100' }, { name: 'rack', value: '7' }, { name: '  ', value: 'x' })).toEqual({ set: {}, remove: [] });
  });
});
