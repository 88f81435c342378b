import { describe, expect, it } from 'vitest';
import { othersOf } from '@/pages/queue/people';
import type { QueueLine, RunningLine } from '@/api/engine';
import { cutOf, peopleOf } from '@/pages/queue/people';

const runs = (userName: string, held: number, userOrdinal: number): RunningLine => ({ workloadId: `${userName}${userOrdinal}`, name: 'job', projectName: 'vision', userName, held, gpu: held, userOrdinal, globalOrdinal: userOrdinal });
const waits = (userName: string, gpu: number, position: number): QueueLine => ({ workloadId: `q${position}`, name: 'job', projectName: 'vision', userName, gpu, position, reason: 'Gpus' });

describe('one bar per person', () => {
  it('shows what runs in the order of the nth GPU, then what waits', () => {
    const [ann] = peopleOf([runs('ann', 2, 3), runs('ann', 1, 1)], [waits('ann', 4, 2)]);
    expect(ann?.cells.map((c) => [c.amount, c.state])).toEqual([[1, 'runs'], [2, 'runs'], [4, 'waits']]);
    expect([ann?.held, ann?.wanted]).toEqual([3, 4]);
  });

  it('leaves out work without GPUs and puts the largest holder first', () => {
    const bars = peopleOf([runs('ann', 1, 1), runs('ben', 4, 4), runs('eve', 0, 0)], []);
    expect(bars.map((b) => b.userName)).toEqual(['ben', 'ann']);
  });

  it('cuts where the GPUs would be shared out evenly', () => {
    const bars = peopleOf([runs('ann', 6, 6), runs('ben', 1, 1)], [waits('eve', 4, 1)]);
    // 8 GPUs for demands of 6, 1 and 4: one keeps 1, the others get 3.5 each.
    expect(cutOf(bars, 8)).toBe(3.5);
    expect(cutOf(bars, 11)).toBeNull();
  });
});

describe('GPUs of work out of view', () => {
  const holding = (...held: number[]) => held.map((amount) => ({ held: amount })) as never;

  it('are not those on which parts in view lie', () => {
    expect(othersOf(3, holding(0.25, 0.25, 0.5))).toBe(0);
    expect(othersOf(8, holding(4, 0.5))).toBe(3);
    expect(othersOf(0, holding())).toBe(0);
  });
});
