// Studies and trials for tests.
import type { Study } from '@/api/studies';
import { extended, type Trials } from '@/api/trials';

export function studyOf(spec: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Study {
  return {
    id: 's', name: 'ppo', projectId: '1', state: 'Running', message: '', seed: 1, gpuHours: 0, createdAt: '2026-01-01T00:00:00Z', createdBy: 'a', updatedAt: '2026-01-01T00:00:00Z',
    budget: { maxTrials: 100 },
    trials: { running: 0, complete: 0, pruned: 0, failed: 0, configurations: 10, extra: 0 },
    spec: {
      objectives: [{ metric: 'loss' }],
      parameters: [{ name: 'lr', low: 0.001, high: 1, log: true }, { name: 'opt', choices: ['adam', 'sgd'] }, { name: 'epochs', value: 3 }],
      ...spec,
    },
    ...more,
  } as unknown as Study;
}

type Numbers = (number | null)[];

/** Trials by their letters; what is not given is unknown. */
export function trialsOf(states: string, given: { values?: Numbers[]; parameters?: Record<string, Numbers>; repeatOf?: Numbers; continues?: Numbers; resumesFrom?: Numbers; steps?: Numbers; lasts?: Numbers; started?: Numbers; ended?: Numbers } = {}): Trials {
  const nothing = [...states].map(() => null);
  return extended(null, {
    from: 0,
    states,
    values: given.values ?? [nothing],
    parameters: Object.entries(given.parameters ?? {}).map(([name, values]) => ({ name, values })),
    repeatOf: given.repeatOf ?? nothing,
    continues: given.continues ?? nothing,
    resumesFrom: given.resumesFrom ?? nothing,
    steps: given.steps ?? nothing,
    lasts: given.lasts ?? nothing,
    started: given.started ?? [...states].map(() => 0),
    ended: given.ended ?? nothing,
    gpuHours: nothing,
  } as never);
}
