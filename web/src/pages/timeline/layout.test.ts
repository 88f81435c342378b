import { describe, expect, it } from 'vitest';
import { byNode, intoLanes, place, rowsOf, ticksOf, type Held } from '@/pages/timeline/layout';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const held = (name: string, from: number, to: number | null, gpus: string[]): Held => ({
  workloadId: name, name, projectName: 'p', userName: 'u', number: 1, placedAt: at(from), startedAt: at(from), endedAt: to === null ? null : at(to),
  endsBy: null, cause: null, absences: [], holds: gpus.map((gpu) => ({ gpu, node: 'n1', part: 0.5 })),
});
const NOW = Date.parse(at(59));

describe('the timeline', () => {
  it('has a row for each GPU, also for those nobody held', () => {
    const rows = rowsOf({ attempts: [held('a', 0, 10, ['g2'])], others: [] }, [{ uuid: 'g10', node: 'n1' }, { uuid: 'g2', node: 'n1' }], NOW);
    expect(rows.map((r) => [r.gpu, r.bars.length])).toEqual([['g2', 1], ['g10', 0]]);
  });

  it('puts work that shares a GPU side by side, and work that follows in one lane', () => {
    const [row] = rowsOf({ attempts: [held('a', 0, 10, ['g']), held('b', 5, null, ['g']), held('c', 10, 20, ['g'])], others: [] }, [], NOW);
    expect(row?.lanes).toBe(2);
    expect(row?.bars.map((b) => b.lane)).toEqual([0, 1, 0]);
  });

  it('shows work on several GPUs of a node as one bar where rows are nodes', () => {
    const [row, ...more] = rowsOf({ attempts: byNode([held('a', 0, 10, ['g1', 'g2', 'g3'])]), others: [] }, [{ uuid: 'n1', node: 'n1' }], NOW);
    expect(more).toEqual([]);
    expect(row?.bars.map((b) => b.part)).toEqual([1.5]);
  });

  it('lets running work end now and keeps its lane', () => {
    const [row] = rowsOf({ attempts: [held('a', 0, null, ['g'])], others: [] }, [], NOW);
    expect(row?.bars[0]).toMatchObject({ to: NOW, open: true });
    expect(intoLanes([])).toBe(1);
  });

  it('leaves out the time work was off its GPUs', () => {
    const back = { ...held('a', 0, 30, ['g']), absences: [{ from: at(5), to: at(20) }] };
    const away = { ...held('b', 10, null, ['g']), absences: [{ from: at(12) }] };
    const [row] = rowsOf({ attempts: [back, away], others: [] }, [], NOW);
    expect(row?.bars.map((b) => [b.held?.name, new Date(b.from).getUTCMinutes(), new Date(b.to).getUTCMinutes(), b.open])).toEqual([
      ['a', 0, 5, false],
      ['a', 20, 30, false],
      ['b', 10, 12, false],
    ]);
    expect(row?.lanes).toBe(1);
  });

  it('shows GPUs of work that the person may not see as taken', () => {
    const other = { placedAt: at(0), endedAt: null, absences: [], holds: [{ gpu: 'g', node: 'n1', part: 1 }] };
    const [row] = rowsOf({ attempts: [], others: [other] }, [{ uuid: 'g', node: 'n1' }], NOW);
    expect(row?.bars.map((b) => [b.held, b.open])).toEqual([[null, true]]);
  });

  it('keeps places within the window and ticks at round times', () => {
    const window = { start: Date.parse(at(0)), end: Date.parse(at(60)), now: NOW };
    expect(place(Date.parse(at(30)), window)).toBe(50);
    expect(place(0, window)).toBe(0);
    expect(ticksOf(window).every((t) => new Date(t).getMinutes() % 10 === 0)).toBe(true);
  });
});
