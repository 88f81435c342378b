import { describe, expect, it } from 'vitest';
import { emptyList, filterBy, fromParams, parseCondition, toParams, toQuery } from '@/lib/filter';

const PHASES = ['Pending', 'Running', 'Failed', 'Completed'];

describe('the state of a list', () => {
  it('comes back from the address it was written to', () => {
    const state = {
      ...emptyList(),
      search: 'vit & co',
      conditions: [{ field: 'submittedBy', op: '=@' as const, value: 'ann@lab' }, { field: 'createdAt', op: '>=' as const, value: '2026-11-15T08:00:00Z' }],
      any: { phase: ['Running', 'Failed'] },
      sort: 'createdAt',
      descending: true,
      page: 3,
      size: 100,
    };
    const address = toParams(state, emptyList()).toString();
    expect(fromParams(new URLSearchParams(address), emptyList())).toEqual(state);
  });

  it('leaves the address empty when everything is as usual', () => {
    const usual = { ...emptyList(), sort: 'createdAt', descending: true };
    expect(toParams(usual, usual).toString()).toBe('');
    expect(fromParams(new URLSearchParams(''), usual)).toEqual(usual);
  });

  it('survives addresses that make no sense', () => {
    const state = fromParams(new URLSearchParams('page=-4&size=7&where=nonsense&where===x&is.phase='), emptyList());
    expect(state).toEqual(emptyList());
  });
});

describe('filterBy', () => {
  it('writes one chosen value as equality', () => {
    expect(filterBy({ ...emptyList(), any: { phase: ['Running'] } }, { phase: PHASES })).toBe('phase==Running');
  });

  it('writes several chosen values as none of the others, since conditions all have to hold', () => {
    expect(filterBy({ ...emptyList(), any: { phase: ['Running', 'Pending'] } }, { phase: PHASES })).toBe('phase!=Failed,phase!=Completed');
  });

  it('never lets a value with a comma become a condition of its own', () => {
    const state = { ...emptyList(), conditions: [{ field: 'name', op: '==' as const, value: 'a,phase==Failed' }] };
    expect(filterBy(state, {})).toBe('name=@a,name=@phase==Failed');
  });

  it('asks for the page and the order', () => {
    expect(toQuery({ ...emptyList(25), page: 2, sort: 'name' })).toEqual({ sortBy: 'name', sortOrder: 'asc', offset: 50, limit: 25 });
  });

  it('reads two-letter operators before one-letter ones', () => {
    expect(parseCondition('a!@b')).toEqual({ field: 'a', op: '!@', value: 'b' });
    expect(parseCondition('a=$.log')).toEqual({ field: 'a', op: '=$', value: '.log' });
  });
});
