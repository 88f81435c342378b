import { describe, expect, it } from 'vitest';
import { relative } from '@/lib/time';
import { shownMoment } from '@/ui/time';

describe('a moment beside a clock that is a little behind', () => {
  const now = Date.parse('2026-11-18T12:00:00Z');
  const words = (ahead: number) => relative(shownMoment(now + ahead, now), now);
  it('is not called to come', () => {
    expect(words(5_000)).toBe('just now');
    expect(words(59_000)).toBe('just now');
    expect(words(-120_000)).toBe('2 min ago');
  });
  it('is to come when it really is', () => {
    expect(words(3_600_000)).toBe('in 1 h');
  });
});
