import { describe, expect, it } from 'vitest';
import { factsOf, nearOf } from '@/pages/nodes/gpu-health';

describe('how a GPU is', () => {
  it('is told in a few lines', () => {
    expect(
      factsOf({
        temperatureCelsius: 61,
        powerWatts: 312.5,
        powerLimitWatts: 700,
        smClockMhz: 1755,
        smClockMaxMhz: 1980,
        slowedBy: ['heat', 'hardwareHeat'],
        eccCorrected: 3,
        eccUncorrected: 0,
      }),
    ).toEqual(['61 °C · 312.5 of 700 W · 1755 of 1980 MHz', 'Slowed by heat', 'Memory errors: 3 corrected']);
  });

  it('leaves out what is not known', () => {
    expect(factsOf({})).toEqual([]);
    expect(factsOf({ powerWatts: 80, slowedBy: [], xids: 0 })).toEqual(['80 W']);
  });
});

describe('what is near a GPU', () => {
  it('is counted by how it is reached', () => {
    expect(nearOf([{ gpu: 'a', closeness: 'nvlink', nvlinks: 4 }, { gpu: 'b' }, { gpu: 'c', closeness: 'nvlink' }])).toBe('2 by nvlink');
  });
});
