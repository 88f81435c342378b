// How a GPU is, in words. What it does not tell is left out.
import type { Gpu } from '@/api/engine';
import { trim } from '@/lib/quantity';

export type GpuHealth = NonNullable<Gpu['health']>;
type Links = NonNullable<Gpu['links']>;

const SLOW: Record<string, string> = {
  powerLimit: 'its power limit',
  heat: 'heat',
  hardwareHeat: 'heat',
  powerBrake: 'the power supply',
  hardware: 'the hardware',
  syncBoost: 'its neighbours',
};

const outOf = (now: number | undefined, most: number | undefined, unit: string) =>
  now === undefined ? '' : `${trim(now)}${most === undefined ? '' : ` of ${trim(most)}`} ${unit}`;

/** A line each, only of what is known. */
export function factsOf(health: GpuHealth): string[] {
  const now = [
    health.temperatureCelsius === undefined ? '' : `${health.temperatureCelsius} °C`,
    outOf(health.powerWatts, health.powerLimitWatts, 'W'),
    outOf(health.smClockMhz, health.smClockMaxMhz, 'MHz'),
  ];
  const slow = [...new Set((health.slowedBy ?? []).map((why) => SLOW[why] ?? why))];
  const errors = [
    health.eccCorrected ? `${health.eccCorrected} corrected` : '',
    health.eccUncorrected ? `${health.eccUncorrected} not corrected` : '',
  ].filter(Boolean);
  return [
    now.filter(Boolean).join(' · '),
    slow.length ? `Slowed by ${slow.join(', ')}` : '',
    errors.length ? `Memory errors: ${errors.join(', ')}` : '',
  ].filter(Boolean);
}

/** "7 by nvlink", nearest first as the server lists them. */
export function nearOf(links: Links): string {
  const counts = new Map<string, number>();
  for (const link of links) if (link.closeness) counts.set(link.closeness, (counts.get(link.closeness) ?? 0) + 1);
  return [...counts].map(([how, count]) => `${count} by ${how}`).join(', ');
}
