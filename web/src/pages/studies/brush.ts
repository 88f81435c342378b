// Ranges that were drawn over the plots, kept in the address: all plots and the table show the same trials. Pure.
import type { Field } from '@/pages/studies/fields';

export interface Range {
  field: string;
  low: number;
  high: number;
}

/** "p.lr:0.001~0.1;value.0:0~1" */
export const writeRanges = (ranges: Range[]) => ranges.map((r) => `${encodeURIComponent(r.field)}:${r.low}~${r.high}`).join(';');

export function readRanges(text: string | null): Range[] {
  const found: Range[] = [];
  for (const part of (text ?? '').split(';')) {
    const match = /^([^:]+):(.+)~(.+)$/.exec(part);
    const [low, high] = [Number(match?.[2]), Number(match?.[3])];
    if (match && Number.isFinite(low) && Number.isFinite(high)) found.push({ field: decoded(match[1] as string), low, high });
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The newest range of a field takes the place of its older one. */
export const withRanges = (ranges: Range[], more: Range[]): Range[] => [...ranges.filter((r) => !more.some((m) => m.field === r.field)), ...more];

/** 1 for each trial inside all ranges; nothing without a range. A trial without the value is outside. */
export function maskOf(fields: Map<string, Field>, count: number, ranges: Range[]): Uint8Array | null {
  const known = ranges.filter((r) => fields.has(r.field));
  if (known.length === 0) return null;
  const mask = new Uint8Array(count).fill(1);
  for (const { field, low, high } of known) {
    const { values } = fields.get(field) as Field;
    for (let i = 0; i < count; i++) if (!((values[i] as number) >= low && (values[i] as number) <= high)) mask[i] = 0;
  }
  return mask;
}

export const countIn = (mask: Uint8Array) => mask.reduce((sum, on) => sum + on, 0);

/** A range in words: "lr from 0.001 to 0.1", "optimizer is adam or sgd". */
export function rangeText(field: Field, { low, high }: Range): string {
  if (field.scale !== 'choice') return `${field.label} from ${field.text(low)} to ${field.text(high)}`;
  const inside = field.choices.filter((_, i) => i >= low && i <= high);
  return `${field.label} is ${inside.join(' or ') || 'none of them'}`;
}
