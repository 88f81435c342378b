import { describe, expect, it } from 'vitest';
import { fieldsOf, type Field } from '@/pages/studies/fields';
import { saysCurves, saysDistribution, saysFront, saysHistory, saysImportance, saysLineage, saysParallel, saysRank, saysRungs, saysSlice, saysSurface, saysTimeline } from '@/pages/studies/insight';
import { linesOf, surface } from '@/pages/studies/sums';
import { studyOf, trialsOf } from '@/pages/studies/testing';

const study = studyOf();
const many = (count: number, value: (i: number) => number) => Array.from({ length: count }, (_, i) => value(i));

describe('one sentence for each plot', () => {
  it('says nothing of a study without results', () => {
    const none = trialsOf('RF');
    expect(saysHistory(study, none)).toBe('No trial is complete yet.');
    expect(saysDistribution(study, none)).toBe('No trial is complete yet.');
    expect(saysParallel(study, none, fieldsOf(study, none))).toBe('No trial is complete yet.');
    expect(saysTimeline(study, none, 0)).toBe('No trial has ended yet.');
    expect(saysImportance([])).toMatch(/^Too few/);
    expect(saysCurves(study, [])).toMatch(/^No trial has reported/);
  });

  it('lineage: which trial the others learned from', () => {
    const trials = trialsOf('RPPRR', { continues: [null, null, null, 1, 2], resumesFrom: [null, null, null, 0, 0] });
    expect(saysLineage(trials, linesOf(trials))).toBe('2 trials went on from a checkpoint, in 2 lines. Trial 0 was taken over 2 times: its parameters did best while it ran.');
    const one = trialsOf('RPR', { continues: [null, null, 1], resumesFrom: [null, null, 1] });
    expect(saysLineage(one, linesOf(one))).toBe('1 trial went on from a checkpoint, in 1 line.');
  });

  it('history: whether more trials promise anything', () => {
    expect(saysHistory(study, trialsOf('CCC', { values: [[3, 2, 1]] }))).toBe('Trial 2 has the best loss: 1. It is the newest result, so more trials may still help.');
    expect(saysHistory(study, trialsOf('C'.repeat(30), { values: [many(30, (i) => (i === 4 ? 0 : 1))] }))).toMatch(/The last 25 results were not better/);
    expect(saysHistory(study, trialsOf('CCC', { values: [[3, 1, 2]] }))).toBe('Trial 1 has the best loss: 1. 1 result since then did not beat it.');
  });

  it('distribution: how many are about as good as the best', () => {
    expect(saysDistribution(study, trialsOf('CCCC', { values: [[0, 10, 10, 10]] }))).toBe('Half of 4 complete trials are at most 10; 1 trial (25 %) is about as good as the best, 0.');
  });

  it('importance: what could be fixed', () => {
    expect(saysImportance([{ parameter: 'lr', importance: 0.9 }, { parameter: 'depth', importance: 0.01 }])).toBe('lr makes 99 % of the difference. depth matters little: a fixed value would do.');
    expect(saysImportance([{ parameter: 'lr', importance: 0.5 }, { parameter: 'depth', importance: 0.5 }])).toMatch(/Every parameter matters/);
  });

  it('parameters: where the best trials are', () => {
    const trials = trialsOf('C'.repeat(10), { values: [many(10, (i) => i)], parameters: { lr: many(10, (i) => 0.01 + i / 100), opt: many(10, (i) => (i < 5 ? 1 : 0)) } });
    const fields = fieldsOf(study, trials);
    const [lr, opt, loss] = [fields.all.get('p.lr'), fields.all.get('p.opt'), fields.objectives[0]] as [Field, Field, Field];
    expect(saysParallel(study, trials, fields)).toBe('The best 3 trials have lr 0.01 to 0.03, opt sgd.');
    expect(saysSlice(study, lr, loss)).toBe('Smaller lr goes with better loss (rank correlation 1.00).');
    expect(saysSlice(study, opt, loss)).toBe('sgd is best by its median, 2 over 5 trials; adam has 7.');
    expect(saysRank(study, trials, lr, opt)).toBe('The best 3 trials are at lr 0.01 to 0.03 and opt sgd.');
    const single = trialsOf('C', { values: [[1]], parameters: { lr: [0.01], opt: [1] } });
    expect(saysParallel(study, single, fieldsOf(study, single))).toBe('The best trial has lr 0.01, opt sgd.');
  });

  it('one parameter: the best part in the middle is found', () => {
    const trials = trialsOf('C'.repeat(50), { values: [many(50, (i) => Math.abs(i - 25))], parameters: { lr: many(50, (i) => 0.001 * (i + 1)), opt: many(50, () => 0) } });
    const fields = fieldsOf(study, trials);
    expect(saysSlice(study, fields.all.get('p.lr') as Field, fields.objectives[0] as Field)).toBe('loss is best where lr is 0.021 to 0.03: the median there is 2.5, elsewhere 15.');
  });

  it('surface: where the best region is, and how much was never tried', () => {
    const trials = trialsOf('CC', { values: [[1, 2]], parameters: { lr: [0.001, 1], opt: [0, 1] } });
    const { parameters } = fieldsOf(study, trials);
    const grid = surface([{ x: 0.05, y: 0.05, rank: 0 }, { x: 0.95, y: 0.95, rank: 1 }], 10, 10);
    const says = saysSurface(grid, parameters[0] as Field, parameters[1] as Field, (_, place) => place.toFixed(2));
    expect(says).toMatch(/^The best region is around lr 0\.05 and opt 0\.05\. \d+ % of the plane has not been tried\.$/);
  });

  it('front: what is to be weighed', () => {
    const both = studyOf({ objectives: [{ metric: 'loss' }, { metric: 'size' }] });
    expect(saysFront(both, trialsOf('CCC', { values: [[1, 2, 3], [9, 5, 9]] }), 0, 1)).toBe('2 of 3 trials are beaten by no other: from loss 1 with size 9 to loss 2 with size 5.');
    expect(saysFront(both, trialsOf('CC', { values: [[1, 2], [1, 2]] }), 0, 1)).toMatch(/best in both/);
  });

  it('curves: whether the middle already tells', () => {
    const trial = (number: number, values: number[]) => ({ number, state: 'Complete', reports: values.map((value, step) => ({ step, value })) }) as never;
    expect(saysCurves(study, [trial(0, [9, 1, 0]), trial(1, [9, 5, 4]), trial(2, [9, 6, 5]), trial(3, [9, 7, 6])])).toMatch(/^Trial 0 ends best of those shown\. At step 1, half-way, it was number 1 of 4: .*would have kept it/);
    expect(saysCurves(study, [trial(0, [9, 8, 0]), trial(1, [9, 5, 4]), trial(2, [9, 6, 5]), trial(3, [9, 7, 6])])).toMatch(/number 4 of 4: .*might have stopped it/);
  });

  it('timeline: how busy it was and what is left', () => {
    const running = studyOf({ concurrency: 2 }, { budget: { maxTrials: 4 }, trials: { running: 0, complete: 2, pruned: 0, failed: 0, configurations: 2 } });
    expect(saysTimeline(running, trialsOf('CC', { started: [0, 0], ended: [60_000, 60_000] }), 60_000)).toBe('A trial takes 1 min 00 s (median), waiting included; 2 ran at once on average of 2 allowed. The 2 left take about 1 min 00 s more.');
  });

  it('rungs: what stopping early saved', () => {
    const pruned = studyOf({ pruner: { type: 'asha', maxSteps: 9 } });
    expect(saysRungs(pruned, trialsOf('PC', { steps: [1, 9] }))).toBe('1 trial stopped early; 1 of 2 came to step 9. That saved about 44 % of the steps.');
    expect(saysRungs(pruned, trialsOf('CC', { steps: [9, 9] }))).toMatch(/^No trial was stopped early/);
  });
});
