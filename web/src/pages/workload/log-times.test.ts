import { describe, expect, it } from 'vitest';
import { Arrivals } from '@/pages/workload/log-source';
import { lineTime } from '@/pages/workload/log-times';

describe('times of lines', () => {
  it('are those of bytes behind the piece that the answer begins with', () => {
    const arrivals = new Arrivals(1000, 1300, 5);
    expect([arrivals.stamp(200, 10), arrivals.stamp(100, 20), arrivals.stamp(50, 30)]).toEqual([0, 0, 30]);
  });

  it('begin at once in a log that was empty', () => {
    expect(new Arrivals(0, 0, 5).stamp(10, 400)).toBe(400);
  });

  it('are not invented for old bytes behind a full piece', () => {
    const full = 4 * 1024 * 1024;
    const arrivals = new Arrivals(0, full, 0);
    expect([arrivals.stamp(full, 10), arrivals.stamp(9000, 20), arrivals.stamp(9000, 900)]).toEqual([0, 0, 0]);
    expect([arrivals.stamp(10, 2000), arrivals.stamp(10, 2001)]).toEqual([2000, 2001]);
  });

  it('have their date on another day', () => {
    const at = new Date(2026, 10, 19, 8, 0, 5).getTime();
    expect(lineTime(at, at + 60_000)).toBe('08:00:05');
    expect(lineTime(at, at + 86_400_000)).toBe('2026-11-19 08:00:05');
  });
});
