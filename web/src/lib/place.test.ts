import { describe, expect, it } from 'vitest';
import { placeOf } from './place';

describe('the place of the dashboard', () => {
  it('is the root of the host without a proxy', () => {
    expect(placeOf('https://yard.lab.example.org/assets/index-DiwrgTda.js')).toBe('');
    expect(placeOf('http://127.0.0.1:5173/src/lib/place.ts')).toBe('');
  });
  it('is the path that a proxy gives it', () => {
    expect(placeOf('https://lab.example.org/gpuyard/assets/common-DiwrgTda.js')).toBe('/gpuyard');
    expect(placeOf('https://lab.example.org/a/b/assets/common-DiwrgTda.js')).toBe('/a/b');
  });
});
