import { describe, expect, it } from 'vitest';
import { dayOf } from '@/lib/time';
import { choiceOf, keyOf, periodOf } from '@/pages/analytics/period';

const NOW = new Date('2026-11-15T12:00').getTime();

describe('the period of a report', () => {
  it('is a month until now unless the address says otherwise', () => {
    const choice = choiceOf(new URLSearchParams());
    expect(choice.length).toBe('30d');
    expect(periodOf(choice, NOW)).toEqual({ start: NOW - 30 * 86_400_000, end: NOW });
  });

  it('includes the last of two chosen days, but never the future', () => {
    const choice = choiceOf(new URLSearchParams('from=2026-11-01&to=2026-11-10'));
    expect(choice.length).toBe('own');
    const { start, end } = periodOf(choice, NOW);
    expect(dayOf(start)).toBe('2026-11-01');
    expect(end - start).toBe(10 * 86_400_000);
    expect(periodOf({ ...choice, to: '2026-11-30' }, NOW).end).toBe(NOW);
  });

  it('does not take what is no day', () => {
    expect(choiceOf(new URLSearchParams('from=yesterday&to=2026-11-10')).length).toBe('30d');
    expect(choiceOf(new URLSearchParams('from=2026-11-11&to=2026-11-10&span=24h')).length).toBe('24h');
    expect(keyOf(choiceOf(new URLSearchParams('span=24h')))).toBe('24h');
  });
});
