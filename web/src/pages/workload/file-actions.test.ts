import { describe, expect, it } from 'vitest';
import { childrenOf, inside, parseListing, type Entry } from '@/pages/workload/file-actions';
import { crumbs } from '@/pages/workload/file-path';
import { textOf } from '@/pages/workload/file-preview';

const file = (path: string, type: 'file' | 'folder' | 'link' = 'file') => ({ path, type, bytes: 1, modifiedAt: '2026-11-19T08:00:00Z' });
const names = (entries: Entry[]) => entries.map((entry) => entry.name);

describe('files of work', () => {
  it('are those of one folder, folders first', () => {
    const all = [file('b.txt'), file('model/', 'folder'), file('model/a'), file('link', 'link'), file('a.txt')];
    expect(names(childrenOf(all, ''))).toEqual(['model', 'a.txt', 'b.txt']);
    const below = [file('deep/', 'folder'), file('deep/x'), file('deep/more/', 'folder'), file('deep/more/y')];
    expect(names(childrenOf(below, 'model/deep'))).toEqual(['more', 'x']);
  });

  it('are found by paths inside of each other', () => {
    expect([inside('', 'a'), inside('/', 'a'), inside('x/y', 'a')]).toEqual(['a', '/a', 'x/y/a']);
    expect(crumbs('model/deep', 'Output folder')).toEqual([['Output folder', ''], ['model', 'model'], ['deep', 'model/deep']]);
    expect(crumbs('/tmp/x', '/')).toEqual([['/', '/'], ['tmp', '/tmp'], ['x', '/tmp/x']]);
  });

  it('have odd names', () => {
    expect(names(parseListing('/work\nregular file|5|10|a|b\ndirectory|0|10|c d\n').entries)).toEqual(['c d', 'a|b']);
  });

  it('are text unless a byte says otherwise', () => {
    expect(textOf(new TextEncoder().encode('grüße'))).toBe('grüße');
    expect(textOf(new TextEncoder().encode('grüße').slice(0, 3))).toBe('gr');
    expect(textOf(new Uint8Array([1, 0, 2]))).toBeNull();
    expect(textOf(new Uint8Array([0xff, 0xfe, 0x41]))).toBeNull();
  });
});
