// The period a report is about, as it stands in the address: a length until now, or two days.
import type { Period } from '@/api/usage';
import { isDay } from '@/lib/time';

export const LENGTHS = { '24h': 24, '7d': 168, '30d': 720, '90d': 2160 } as const;
export type Length = keyof typeof LENGTHS;

export interface Choice {
  length: Length | 'own';
  /** Days of an own period, "2026-11-15"; the last one is included. */
  from: string;
  to: string;
}

const DAY = 86_400_000;
const isLength = (text: string | null): text is Length => text !== null && text in LENGTHS;

export function choiceOf(params: URLSearchParams): Choice {
  const [from, to] = [params.get('from'), params.get('to')];
  if (isDay(from) && isDay(to) && from <= to) return { length: 'own', from, to };
  const length = params.get('span');
  return { length: isLength(length) ? length : '30d', from: '', to: '' };
}

export function periodOf(choice: Choice, now: number): Period {
  if (choice.length !== 'own') return { start: now - LENGTHS[choice.length] * 3_600_000, end: now };
  const start = new Date(`${choice.from}T00:00`).getTime();
  const end = new Date(`${choice.to}T00:00`).getTime() + DAY;
  return { start, end: Math.min(end, Math.max(now, start)) };
}

export const keyOf = (choice: Choice) => (choice.length === 'own' ? `${choice.from}_${choice.to}` : choice.length);
