import { describe, expect, it, vi } from 'vitest';

vi.mock('uplot', () => ({ default: class {} }));
vi.mock('uplot/dist/uPlot.min.css', () => ({}));
vi.stubGlobal('document', { documentElement: { dataset: {} } });
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));

const { legendValue } = await import('@/ui/chart');

describe('the legend of a chart', () => {
  it('says the newest value where nothing is pointed at', () => {
    expect(legendValue([1, 2, null], null, null, 'count')).toBe('2');
    expect(legendValue([40, 55.5], null, null, 'percent')).toBe('55.5 %');
    expect([0, 0.0004, 0.25].map((v) => legendValue([v], null, null, 'count'))).toEqual(['0', '0.0004', '0.25']);
  });

  it('says the value that is pointed at, and that there is none', () => {
    expect(legendValue([1, 2], 1, 0, 'count')).toBe('1');
    expect(legendValue([1, null, 3], null, 1, 'count')).toBe('–');
    expect(legendValue([null], null, null, 'count')).toBe('–');
  });
});
