import { describe, expect, it } from 'vitest';
import { gpuHoursOf } from '@/api/studies';
import { withoutWorkload } from '@/pages/studies/trial';
import { asked, configuration, typedFrom } from '@/pages/studies/by-hand';
import { bodyOf, emptyParameter, fileOfDraft, firstDraft, missingPlaces, problems, type Draft } from '@/pages/studies/draft';
import { fileOf } from '@/pages/studies/file';
import { studyOf } from '@/pages/studies/testing';

const draft = (more: Partial<Draft> = {}): Draft => ({ ...firstDraft(), name: 'ppo', project: 'vision', command: 'train --lr ${lr}', ...more });

describe('the form of a study', () => {
  it('says what is missing, one sentence each', () => {
    expect(problems(draft())).toEqual([]);
    expect(problems(firstDraft())).toHaveLength(3);
    expect(problems(draft({ parameters: [{ ...emptyParameter(), name: 'lr', low: '1', high: '0' }] }))).toEqual(['lr: the smallest value must be below the largest.']);
    expect(problems(draft({ parameters: [{ ...emptyParameter(), name: 'lr', low: '0', high: '1', log: true }] }))).toEqual(['lr: a log scale needs values above 0.']);
    expect(problems(draft({ trials: '0' }))).toEqual(['Configurations: a whole number, 1 or more.']);
  });

  it('becomes what the API takes', () => {
    const body = bodyOf(draft({ gpus: '0.5', pruner: 'asha', maxSteps: '27', parameters: [...firstDraft().parameters, { ...emptyParameter(), name: 'opt', kind: 'choice', choices: 'adam, 0.5' }] }), '7') as { spec: Record<string, unknown> };
    expect(body).toMatchObject({ name: 'ppo', projectId: '7' });
    expect(body.spec.parameters).toEqual([{ name: 'lr', low: 1e-5, high: 0.1, log: true }, { name: 'opt', choices: ['adam', 0.5] }]);
    expect(body.spec.pruner).toEqual({ type: 'asha', maxSteps: 27 });
    expect(body.spec.workload).toEqual({ command: 'train --lr ${lr}', compute: { gpuDevicesRequest: 1, gpuRequestType: 'portion', gpuPortionRequest: 0.5 } });
  });

  it('becomes the file of the command line', () => {
    expect(fileOfDraft(draft({ gpus: '0' }))).toEqual({ name: 'ppo', project: 'vision', metric: 'loss', direction: 'minimize', parameters: { lr: { low: 1e-5, high: 0.1, log: true } }, trials: 50, concurrency: 4, command: 'train --lr ${lr}' });
  });

  it('names parameters that the command does not use', () => {
    expect(missingPlaces(draft({ parameters: [...firstDraft().parameters, { ...emptyParameter(), name: 'depth' }] }))).toEqual(['depth']);
  });
});

describe('a study as a file', () => {
  it('has short forms', () => {
    const file = fileOf(studyOf({ sampler: 'tpe', parameters: [{ name: 'lr', low: 0, high: 1 }, { name: 'opt', choices: ['a', 'b'] }, { name: 'm', low: 0, high: 1, when: { parameter: 'opt', values: ['b'] } }, { name: 'k', value: 3 }] }));
    expect(file).toMatchObject({ name: 'ppo', metric: 'loss', sampler: 'tpe', trials: 100, parameters: { lr: { low: 0, high: 1 }, opt: ['a', 'b'], m: { low: 0, high: 1, when: { opt: 'b' } }, k: 3 } });
  });
});

describe('a trial by hand', () => {
  const { spec } = studyOf({ parameters: [{ name: 'opt', choices: ['adam', 'sgd', 3] }, { name: 'm', low: 0, high: 1, when: { parameter: 'opt', values: ['sgd'] } }, { name: 'k', value: 5 }] });
  it('asks for what exists', () => {
    expect(asked(spec, { opt: 'adam' }).map((p) => p.name)).toEqual(['opt']);
    expect(asked(spec, { opt: 'sgd' }).map((p) => p.name)).toEqual(['opt', 'm']);
  });
  it('is read as the server takes it', () => {
    expect(configuration(spec, { opt: '3' })).toEqual({ parameters: { opt: 3, k: 5 }, wrong: [] });
    expect(configuration(spec, { opt: 'sgd', m: 'x' }).wrong).toEqual(['m']);
    expect(typedFrom({ opt: 3, m: 0.5, n: 'a' })).toEqual({ opt: '3', m: '0.5', n: 'a' });
  });
});

describe('a study that no server runs', () => {
  const [theirs, ours] = [studyOf(), studyOf({ workload: { type: 'Training' } })];

  it('has no GPU-hours instead of none used', () => {
    expect(gpuHoursOf(theirs)).toBeNull();
    expect(gpuHoursOf(ours)).toBe(0);
    expect(gpuHoursOf({ ...theirs, gpuHours: 2 })).toBe(2);
  });

  it('says why a trial has no workload', () => {
    expect(withoutWorkload(theirs, { state: 'Running' })).toMatch(/^A program runs it/);
    expect(withoutWorkload(ours, { state: 'Running' })).toBe('Its workload is being made.');
    expect(withoutWorkload(ours, { state: 'Complete' })).toMatch(/recorded by hand/);
    expect(withoutWorkload(ours, { state: 'Failed' })).toBe('It has no workload.');
  });
});
