import { describe, expect, it } from 'vitest';
import { deletionWords } from '@/pages/reservations/form';
import { stateAt, type Reservation } from '@/api/reservations';
import { columnsOf, mostKept, mondayOf, rowsOf, windowOf } from '@/pages/reservations/layout';
import { dayOf, minuteOf } from '@/lib/time';

const time = (text: string) => new Date(text).getTime();
const NOW = time('2026-11-18T12:00');

const kept = (name: string, projectName: string, gpu: number, start: string, end: string) =>
  ({ id: name, name, projectName, gpu, start: new Date(start).toISOString(), end: new Date(end).toISOString() }) as Reservation;

const LIST = [
  kept('icml', 'vision', 4, '2026-11-17T08:00', '2026-11-20T08:00'),
  kept('demo', 'vision', 2, '2026-11-19T08:00', '2026-11-19T18:00'),
  kept('course', 'robotics', 3, '2026-11-19T17:00', '2026-11-21T08:00'),
  kept('later', 'robotics', 8, '2027-03-01T08:00', '2027-03-02T08:00'),
];

describe('the calendar of reservations', () => {
  it('begins with the Monday of the day it is asked for', () => {
    expect(dayOf(mondayOf(NOW))).toBe('2026-11-16');
    expect(dayOf(mondayOf(time('2026-11-22T23:59')))).toBe('2026-11-16');
    expect(dayOf(windowOf('month', '2026-12-03', NOW).start)).toBe('2026-11-30');
    expect(dayOf(windowOf('month', 'soon', NOW).start)).toBe('2026-11-16');
  });

  it('has a column for each day, and for each week of a quarter', () => {
    const days = columnsOf('month', windowOf('month', null, NOW));
    expect(days).toHaveLength(28);
    expect(days.map((d) => dayOf(d.from)).slice(0, 2)).toEqual(['2026-11-16', '2026-11-17']);
    expect(columnsOf('quarter', windowOf('quarter', null, NOW))).toHaveLength(13);
  });

  it('gives each project a row, and a lane to what overlaps', () => {
    const rows = rowsOf(LIST, windowOf('week', null, NOW));
    expect(rows.map((r) => [r.project, r.lanes, r.bars.length])).toEqual([['robotics', 1, 1], ['vision', 2, 2]]);
  });

  it('says how many are kept at one time, not in all of a day', () => {
    const day = { from: time('2026-11-19T00:00'), to: time('2026-11-20T00:00') };
    expect(mostKept(LIST, day)).toBe(9);
    expect(mostKept(LIST.slice(0, 1), day)).toBe(4);
    expect(mostKept(LIST, { from: time('2026-11-16T00:00'), to: time('2026-11-17T00:00') })).toBe(0);
  });

  it('knows the state at any moment', () => {
    expect(LIST.map((one) => stateAt(one, NOW))).toEqual(['active', 'upcoming', 'upcoming', 'upcoming']);
    expect(stateAt(LIST[0] as Reservation, time('2026-11-20T08:00'))).toBe('ended');
  });

  it('writes times as a form field has them', () => {
    expect(minuteOf(NOW)).toBe('2026-11-18T12:00');
  });
});

describe('the question before a reservation is deleted', () => {
  const one = { gpu: 1, projectName: 'vision', start: '2026-01-02T00:00:00Z', end: '2026-01-03T00:00:00Z' };
  const at = (day: string) => deletionWords(one, Date.parse(day));

  it('says what comes of it before, in and after its time', () => {
    expect(at('2026-01-01T00:00:00Z')).toMatch(/^1 GPU is no longer kept for vision from .*2.* on\.$/);
    expect(at('2026-01-02T12:00:00Z')).toBe('1 GPU is no longer reserved for vision: it is free for everybody at once. Work that runs on it goes on.');
    expect(at('2026-01-04T00:00:00Z')).toMatch(/^Its time is over/);
    expect(deletionWords({ ...one, gpu: 4 }, Date.parse('2026-01-02T12:00:00Z'))).toMatch(/^4 GPUs are .* they are free .* on them goes on\.$/);
  });
});
