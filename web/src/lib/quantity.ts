// Amounts as the API writes them ("16G", "512Mi", bytes) and as people read them.

const BINARY: Record<string, number> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50 };
const DECIMAL: Record<string, number> = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };

/** Bytes of "16Gi", "500M", "1024"; null for what is none. */
export function parseBytes(text: string | number | null | undefined): number | null {
  if (text === null || text === undefined || text === '') return null;
  if (typeof text === 'number') return text;
  const match = /^\s*([0-9.]+)\s*(Ki|Mi|Gi|Ti|Pi|[kKMGTP])?i?B?\s*$/.exec(text);
  if (!match) return null;
  const unit = match[2] ?? '';
  const value = Number(match[1]) * (BINARY[unit] ?? DECIMAL[unit] ?? 1);
  return Number.isFinite(value) ? value : null;
}

export function bytes(amount: number | string | null | undefined): string {
  const value = parseBytes(amount);
  if (value === null) return '–';
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let step = 0;
  let rest = value;
  while (rest >= 1024 && step < names.length - 1) {
    rest /= 1024;
    step += 1;
  }
  return `${trim(rest, rest < 10 && step > 0 ? 1 : 0)} ${names[step]}`;
}

/** A number without useless zeros. */
export function trim(value: number, digits = 2): string {
  return String(Number(value.toFixed(digits)));
}

export function gpus(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return '–';
  return trim(amount, 3);
}

/** "1 GPU", "0.5 GPUs", "4 GPUs". */
export const gpuCount = (amount: number): string => `${gpus(amount)} ${amount === 1 ? 'GPU' : 'GPUs'}`;

/** How much of a project's quota is used, for a choice of projects. */
export const quotaWords = (used: number | null | undefined, quota: number | null | undefined): string =>
  `${gpuCount(used ?? 0)} in use, ${quota === null || quota === undefined ? 'no quota' : quota < 0 ? 'quota unlimited' : `quota ${gpus(quota)}`}`;

export function percent(value: number | null | undefined): string {
  return value === null || value === undefined || Number.isNaN(value) ? '–' : `${Math.round(value)} %`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** A limit or quota where a negative number means "none". */
export function unlimited(amount: number | null | undefined): string {
  return amount === null || amount === undefined || amount < 0 ? 'unlimited' : trim(amount, 3);
}

/** Hours in a report: small ones to the minute, large ones in whole hours. */
export function hoursOf(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 1000 ? 1 : 0 });
}
