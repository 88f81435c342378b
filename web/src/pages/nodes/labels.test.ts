import { describe, expect, it } from 'vitest';
import { labelChanges } from '@/pages/nodes/labels';

describe('labels of a node', () => {
  it('sends what changed and nothing else', () => {
    const before = { pool: 'prod', rack: '7', gone: 'x' };
    const pairs = [{ name: 'pool', value: 'dev' }, { name: 'rack', value: '7' }, { name: 'new', value: '' }, { name: '', value: 'typed first' }];
    expect(labelChanges(before, pairs)).toEqual({ set: { pool: 'dev', new: '' }, remove: ['gone'] });
  });
});
