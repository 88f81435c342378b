import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refresher, touchedBy } from '@/api/live';

describe('changes from the server', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it('refresh what depends on the changed kind', () => {
    expect(touchedBy('workload')).toContain('queue');
    expect(touchedBy('credential-nobody-knows')).toEqual(['credential-nobody-knows']);
  });

  it('are shown at once when it was quiet', () => {
    const refresh = vi.fn();
    new Refresher(refresh, 700).add('role');
    vi.advanceTimersByTime(100);
    expect(refresh).toHaveBeenCalledWith(['role', 'me', 'audit']);
  });

  it('are gathered when there are a hundred in a second', () => {
    const refresh = vi.fn();
    const refresher = new Refresher(refresh, 700);
    for (let i = 0; i < 100; i++) {
      refresher.add('workload');
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(1000);
    expect(refresh.mock.calls.length).toBeLessThanOrEqual(3);
  });
});
