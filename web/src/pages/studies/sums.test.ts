import { describe, expect, it } from 'vitest';
import { extended, firstOpen, sampled, type Trials } from '@/api/trials';
import { maskOf, rangeText, readRanges, withRanges, writeRanges } from '@/pages/studies/brush';
import { fieldsOf, marks, placeOf, valueAt } from '@/pages/studies/fields';
import { areas, distribution, front, improvements, lanesOf, linesOf, pairsOf, rankCorrelation, ranksOf, resultsOf, rungsOf, surface } from '@/pages/studies/sums';
import { ordered } from '@/pages/studies/trials-table';
import { studyOf, trialsOf } from '@/pages/studies/testing';

const study = studyOf();

describe('columns of trials', () => {
  it('take a newer part in the place of what may have changed', () => {
    const first = trialsOf('CRC', { values: [[1, null, 3]] });
    expect(firstOpen(first)).toBe(1);
    const next = extended(first, { ...partOf('CCR'), from: 1, values: [[5, 3, null]] });
    expect(next.states).toBe('CCCR');
    expect([...(next.values[0] as Float64Array)]).toEqual([1, 5, 3, NaN]);
    expect(firstOpen(trialsOf('CPF'))).toBe(3);
  });

  it('are sampled evenly when there are too many', () => {
    const few = sampled(50_000, 1000, () => true);
    expect(few.length).toBe(1000);
    expect(few[0]).toBe(0);
    expect(few[999]).toBeGreaterThan(49_900);
    expect(sampled(10, 100, (i) => i % 2 === 1)).toEqual([1, 3, 5, 7, 9]);
  });
});

const partOf = (states: string) => {
  const nothing = [...states].map(() => null);
  return { from: 0, states, values: [nothing], parameters: [], repeatOf: nothing, continues: nothing, resumesFrom: nothing, steps: nothing, lasts: nothing, started: [...states].map(() => 0), ended: nothing, gpuHours: nothing } as never as Parameters<typeof extended>[1];
};

describe('best so far', () => {
  it('is by the mean of the runs of a configuration, as the server says', () => {
    const trials = trialsOf('CCCC', { values: [[1, 5, 2, 2]], repeatOf: [null, 0, null, 2] });
    const results = resultsOf(trials, 0);
    expect(results.map((r) => [r.first, r.at, r.mean, r.runs])).toEqual([[0, 1, 3, 2], [2, 3, 2, 2]]);
    expect(improvements(results, 1).map((r) => r.first)).toEqual([0, 2]);
    expect(improvements(results, -1).map((r) => r.first)).toEqual([0]);
  });

  it('leaves out what has no result', () => {
    expect(resultsOf(trialsOf('CPFR', { values: [[2, null, null, null]] }), 0).length).toBe(1);
  });
});

describe('ranks', () => {
  it('are 0 for the best, 1 for the worst, equal for equal values, none without a value', () => {
    const ranks = ranksOf(study, trialsOf('CCCP', { values: [[3, 1, 1, null]] }), 0);
    expect([...ranks]).toEqual([1, 0, 0, NaN]);
    const more = studyOf({ objectives: [{ metric: 'acc', direction: 'maximize' }] });
    expect([...ranksOf(more, trialsOf('CC', { values: [[1, 2]] }), 0)]).toEqual([1, 0]);
  });
});

describe('two objectives', () => {
  const both = studyOf({ objectives: [{ metric: 'loss' }, { metric: 'acc', direction: 'maximize' }] });
  const trials = trialsOf('CCCC', { values: [[1, 2, 3, 2], [10, 20, 30, 15]] });
  it('have a front of what no other beats', () => {
    expect(front(pairsOf(both, trials, 0, 1)).map((p) => p.trial)).toEqual([0, 1, 2]);
  });
  it('cover an area that only grows to all of it', () => {
    const grown = areas(pairsOf(both, trials, 0, 1)).map((p) => p.share);
    expect(grown.at(-1)).toBe(1);
    expect([...grown].sort((a, b) => a - b)).toEqual(grown);
  });
});

describe('the other sums', () => {
  it('a distribution ends at all of it and has few points', () => {
    const points = distribution(Float64Array.from({ length: 50_000 }, (_, i) => i), 400);
    expect(points.length).toBe(400);
    expect(points[0]?.share).toBeCloseTo(1 / 50_000);
    expect(points.at(-1)).toEqual({ x: 49_999, share: 1 });
  });

  it('a surface is blank where no trial is near', () => {
    const grid = surface([{ x: 0.05, y: 0.05, rank: 0.2 }], 10, 10);
    expect(grid.cells[0]).toBeCloseTo(0.2);
    expect(grid.cells[99]).toBeNaN();
  });

  it('trials at the same time are on lines of their own', () => {
    const trials = trialsOf('CCC', { started: [0, 5, 10], ended: [10, 20, 12] });
    const { lanes, count } = lanesOf(trials, 100);
    expect([[...lanes], count]).toEqual([[0, 1, 0], 2]);
  });

  it('rungs count who came how far and who was stopped there', () => {
    const pruned = studyOf({ pruner: { type: 'asha', minSteps: 1, maxSteps: 9, reduction: 3 } });
    const trials = trialsOf('PPPC', { steps: [1, 2, 3, 9] });
    expect(rungsOf(pruned, trials)).toEqual([
      { step: 1, reached: 4, stopped: 2 },
      { step: 3, reached: 2, stopped: 1 },
      { step: 9, reached: 1, stopped: 0 },
    ]);
    expect(rungsOf(study, trials)).toEqual([]);
  });

  it('rank correlation is 1 for what rises together and says nothing of few', () => {
    expect(rankCorrelation([1, 2, 3, 4, 5], [10, 20, 400, 500, 9000])).toBeCloseTo(1);
    expect(rankCorrelation([1, 2, 3, 4, 5], [5, 4, 3, 2, 1])).toBeCloseTo(-1);
    expect(rankCorrelation([1, 2], [1, 2])).toBeNull();
    expect(rankCorrelation([1, 1, 1, 1, 1], [1, 2, 3, 4, 5])).toBeNull();
  });
});

describe('fields', () => {
  const trials = trialsOf('CCCCCCCCCC', { values: [[1, 2, 3, 1, 2, 3, 1, 2, 3, 1e30]], parameters: { lr: [0.001, 0.01, 0.1, 0.001, 0.01, 0.1, 0.001, 0.01, 0.1, 1], opt: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1] } });
  const fields = fieldsOf(study, trials);
  const lr = fields.all.get('p.lr') as never as Parameters<typeof placeOf>[0];
  it('place values by their scale', () => {
    expect(placeOf(lr, 0.001)).toBe(0);
    expect(placeOf(lr, 1)).toBe(1);
    expect(placeOf(lr, Math.sqrt(0.001))).toBeCloseTo(0.5);
    expect(valueAt(lr, 0.5)).toBeCloseTo(Math.sqrt(0.001));
    expect(marks(lr, 5)).toEqual([0.001, 0.01, 0.1, 1]);
  });
  it('are not squeezed by one value far away', () => {
    const loss = fields.objectives[0] as NonNullable<(typeof fields.objectives)[0]>;
    expect(loss.cut).toBe(true);
    expect(loss.high).toBeLessThan(100);
  });
  it('leave constants out', () => {
    expect(fields.parameters.map((f) => f.label)).toEqual(['lr', 'opt']);
  });
});

describe('brushing', () => {
  const trials: Trials = trialsOf('CCP', { values: [[1, 2, null]], parameters: { lr: [0.001, 0.1, 0.01], opt: [0, 1, 1] } });
  const { all } = fieldsOf(study, trials);
  it('goes into the address and comes back', () => {
    const ranges = [{ field: 'p.a;b:c', low: -1e-5, high: 2 }];
    expect(readRanges(writeRanges(ranges))).toEqual(ranges);
    expect(readRanges('nonsense;p.x:a~b')).toEqual([]);
  });
  it('keeps the trials that are inside all ranges; one without the value is outside', () => {
    expect([...(maskOf(all, 3, [{ field: 'value.0', low: 0, high: 9 }]) ?? [])]).toEqual([1, 1, 0]);
    expect([...(maskOf(all, 3, [{ field: 'value.0', low: 0, high: 9 }, { field: 'p.lr', low: 0.01, high: 1 }]) ?? [])]).toEqual([0, 1, 0]);
    expect(maskOf(all, 3, [{ field: 'gone', low: 0, high: 1 }])).toBeNull();
  });
  it('is told in words', () => {
    const [lr, opt] = [all.get('p.lr'), all.get('p.opt')];
    expect(rangeText(lr as never, { field: 'p.lr', low: 0.001, high: 0.1 })).toBe('lr from 0.001 to 0.1');
    expect(rangeText(opt as never, { field: 'p.opt', low: 0.6, high: 1.4 })).toBe('opt is sgd');
    expect(withRanges([{ field: 'a', low: 0, high: 1 }], [{ field: 'a', low: 2, high: 3 }])).toEqual([{ field: 'a', low: 2, high: 3 }]);
  });
  it('orders the table with what is unknown last, both ways', () => {
    expect(ordered(3, null, all.get('value.0'), false)).toEqual([0, 1, 2]);
    expect(ordered(3, null, all.get('value.0'), true)).toEqual([1, 0, 2]);
    expect(ordered(3, Uint8Array.from([0, 1, 1]), undefined, false)).toEqual([1, 2]);
  });
});

describe('lineage', () => {
  it('follows the trials that took each other’s place', () => {
    const trials = trialsOf('RPPRR', { continues: [null, null, null, 1, null], resumesFrom: [null, null, null, 0, null] });
    expect(linesOf(trials)).toEqual([[{ trial: 1, from: null }, { trial: 3, from: 0 }]]);
    const longer = trialsOf('RPPPRR', { continues: [null, null, null, 1, 3, 2], resumesFrom: [null, null, null, 0, 0, 4] });
    expect(linesOf(longer)).toEqual([
      [{ trial: 1, from: null }, { trial: 3, from: 0 }, { trial: 4, from: 0 }],
      [{ trial: 2, from: null }, { trial: 5, from: 4 }],
    ]);
    expect(linesOf(trialsOf('CC'))).toEqual([]);
  });
});
