// Times and durations for people. "Now" is always an argument.
import { trim } from '@/lib/quantity';

const UNITS: [limit: number, seconds: number, name: string][] = [
  [60, 1, 's'],
  [3600, 60, 'min'],
  [86400, 3600, 'h'],
  [86400 * 30, 86400, 'd'],
  [86400 * 365, 86400 * 30, 'mo'],
  [Infinity, 86400 * 365, 'y'],
];

export function parseTime(text: string | null | undefined): number | null {
  if (!text) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

function coarse(seconds: number): string {
  for (const [limit, unit, name] of UNITS) {
    if (seconds < limit) return `${Math.floor(seconds / unit)} ${name}`;
  }
  return '';
}

/** "3 min ago", "in 2 h", "just now". */
export function relative(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1000);
  if (Math.abs(seconds) < 3) return 'just now';
  return seconds > 0 ? `${coarse(seconds)} ago` : `in ${coarse(-seconds)}`;
}

/** "2 h 05 min"; two units at most. */
export function duration(seconds: number): string {
  if (seconds > 0 && seconds < 1) return 'under 1 s';
  const s = Math.max(0, Math.floor(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${pad(s % 60)} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${pad(Math.floor((s % 3600) / 60))} min`;
  return `${Math.floor(s / 86400)} d ${pad(Math.floor((s % 86400) / 3600))} h`;
}

/** "45 s", "5 min", "2 h": a round length of time, as it stands beside a scale. */
export function mark(seconds: number): string {
  if (seconds < 60) return `${trim(seconds)} s`;
  if (seconds < 3600) return `${trim(seconds / 60, 1)} min`;
  return seconds < 86_400 ? `${trim(seconds / 3600, 1)} h` : `${trim(seconds / 86_400, 1)} d`;
}

const pad = (n: number) => String(n).padStart(2, '0');

// Making a formatter takes far longer than using it.
const EXACT = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
  hourCycle: 'h23',
});
const MINUTE: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const THIS_YEAR = new Intl.DateTimeFormat(undefined, MINUTE);
const ANY_YEAR = new Intl.DateTimeFormat(undefined, { ...MINUTE, year: 'numeric' });

/** Local time with its zone, to the second. */
export function absolute(at: number): string {
  return EXACT.format(at);
}

/** Day and minute, without the year when it is this one. */
export function short(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? THIS_YEAR : ANY_YEAR).format(at);
}

const local = (at: number) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();

/** "2026-11-15": the day in the zone of whoever looks. */
export const dayOf = (at: number) => local(at).slice(0, 10);

export const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** "2026-11-15T18:00" in the same zone, as a field for times has it. */
export const minuteOf = (at: number) => local(at).slice(0, 16);

/** The moment that such a field holds, for the server; what is none is left to the server to refuse. */
export function isoOf(minute: string): string {
  const at = new Date(minute);
  return Number.isNaN(at.getTime()) ? minute : at.toISOString();
}

/** "starts in 5 min to 2 h", from the two ends of a forecast. */
export function startRange(earliest: number | null, latest: number | null, now: number): string | null {
  if (earliest === null && latest === null) return null;
  const near = (at: number) => (at <= now + 15_000 ? 'now' : coarse((at - now) / 1000));
  if (earliest === null) return `in about ${near(latest as number)}`;
  if (latest === null) return near(earliest) === 'now' ? 'now or later' : `in ${near(earliest)} or later`;
  const [a, b] = [near(earliest), near(latest)];
  if (a === b) return a === 'now' ? 'any moment' : `in about ${a}`;
  return a === 'now' ? `now to ${b} from now` : `in ${a} to ${b}`;
}

const SECONDS: Record<string, number> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

/** Seconds of "90m", "2h", "1h30m", "1d"; a plain number is hours. Null for what is none. */
export function parseDuration(text: string): number | null {
  const clean = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(clean)) return Number(clean) > 0 ? Math.round(Number(clean) * 3600) : null;
  if (!/^(\d+(\.\d+)?\s*(s|min|m|h|d)\s*)+$/.test(clean)) return null;
  let sum = 0;
  for (const [, amount, unit] of clean.matchAll(/(\d+(?:\.\d+)?)\s*(s|min|m|h|d)/g)) sum += Number(amount) * (SECONDS[unit ?? 's'] ?? 1);
  return sum > 0 ? Math.round(sum) : null;
}

/** The shortest way to write it: "2h", "1h30m", "90s". */
export function durationText(seconds: number): string {
  const parts = ([['d', 86_400], ['h', 3600], ['m', 60], ['s', 1]] as const).map(([unit, size], i, all) => {
    const before = i === 0 ? seconds : seconds % (all[i - 1]?.[1] ?? 1);
    return [Math.floor(before / size), unit] as const;
  });
  return parts.filter(([n]) => n > 0).map(([n, unit]) => `${n}${unit}`).join('') || '0s';
}
