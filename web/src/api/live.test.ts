import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isTouched, Refresher, touchedBy } from '@/api/live';

describe('changes from the server', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it('refresh what depends on the changed kind', () => {
    expect(touchedBy('workload')).toContain('queue');
    expect(touchedBy('credential-nobody-knows')).toEqual(['credential-nobody-knows']);
  });

  it('are shown at once when it was quiet', () => {
    const refresh = vi.fn();
    new Refresher(refresh).add('role');
    vi.advanceTimersByTime(100);
    expect(refresh).toHaveBeenCalledWith(['role', 'me', 'audit'], new Set());
  });

  it('of one workload leave what is read of another alone', () => {
    const kinds = touchedBy('workload');
    const changed = new Set(['a']);
    for (const part of ['usage', 'history', 'events', 'record', 'metrics']) {
      expect(isTouched(['workload', part, 'a'], kinds, changed)).toBe(true);
      expect(isTouched(['workload', part, 'b'], kinds, changed)).toBe(false);
    }
    // The place in the queue and the reason of one follow from the others.
    for (const key of [['workload', 'one', 'b'], ['workload', 'list', {}], ['why', 'b'], ['attempts', 'timeline', '6h']]) expect(isTouched(key, kinds, changed)).toBe(true);
    expect(isTouched(['report', 'list', {}], kinds, changed)).toBe(false);
  });

  it('are named to the pages, each once', () => {
    const refresh = vi.fn<(keys: string[], workloads: ReadonlySet<string>) => void>();
    const refresher = new Refresher(refresh);
    for (const id of ['a', 'b', 'a']) refresher.add('workload', id);
    refresher.add('node', 'n');
    vi.advanceTimersByTime(1000);
    refresher.add('workload', 'c');
    vi.advanceTimersByTime(5000);
    const named = refresh.mock.calls.filter(([keys]) => keys.includes('workload')).map(([, ids]) => [...ids]);
    expect(named).toEqual([['a', 'b'], ['c']]);
  });

  it('are gathered while a hundred come in every second', () => {
    const refresh = vi.fn();
    const refresher = new Refresher(refresh);
    for (let i = 0; i < 1000; i++) {
      refresher.add('workload');
      vi.advanceTimersByTime(10);
    }
    expect(refresh.mock.calls.length).toBeGreaterThan(5);
    expect(refresh.mock.calls.length).toBeLessThanOrEqual(17);
  });

  it('read large answers again less often, but the last change is never missed', () => {
    const refresh = vi.fn<(keys: string[]) => void>();
    const refresher = new Refresher(refresh);
    for (let i = 0; i < 100; i++) {
      refresher.add('workload');
      vi.advanceTimersByTime(100);
    }
    const times = (key: string) => refresh.mock.calls.filter(([keys]) => keys.includes(key)).length;
    expect(times('gpu')).toBeLessThanOrEqual(4);
    expect(times('workload')).toBeGreaterThan(10);
    const before = times('gpu');
    vi.advanceTimersByTime(4000);
    expect(times('gpu')).toBe(before + 1);
    vi.advanceTimersByTime(20_000);
    expect(times('gpu')).toBe(before + 1);
  });

  it('are shown soon even right after another one', () => {
    const refresh = vi.fn();
    const refresher = new Refresher(refresh);
    refresher.add('node');
    vi.advanceTimersByTime(50);
    refresher.add('role');
    vi.advanceTimersByTime(350);
    expect(refresh).toHaveBeenCalledTimes(2);
  });
});
