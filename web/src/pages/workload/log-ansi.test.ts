import { describe, expect, it } from 'vitest';
import { marked, plainText, runsOf } from '@/pages/workload/log-ansi';
import { patternOf, shownLines } from '@/pages/workload/log-filter';

const E = '\u001b[';

describe('colours in a log', () => {
  it('become parts of the line', () => {
    expect(runsOf(`a ${E}1;31mred${E}0m b`)).toEqual([
      { text: 'a ', look: '' },
      { text: 'red', look: 'ansi-31 ansi-bold' },
      { text: ' b', look: '' },
    ]);
    expect(runsOf(`${E}38;5;9mbright${E}39m`)).toEqual([{ text: 'bright', look: 'ansi-91' }]);
  });

  it('leave other orders to a terminal out', () => {
    expect(plainText(`${E}2K${E}1Gstep ${E}32m3${E}0m`)).toBe('step 3');
  });

  it('keep their look where a search marks them', () => {
    expect(marked(runsOf(`${E}32mloss 1${E}0m`), /LOSS/i)).toEqual([
      { text: 'loss', look: 'ansi-32 log-hit' },
      { text: ' 1', look: 'ansi-32' },
    ]);
  });
});

describe('searching a log', () => {
  const lines = ['zero', 'one', 'two', 'three hit', 'four', 'five', 'six', 'seven hit', 'eight'];

  it('keeps the numbers of the lines', () => {
    expect(shownLines(lines, patternOf('HIT'), 0).map((s) => s.at)).toEqual([3, 7]);
  });

  it('shows the lines around a hit once, with a gap between', () => {
    expect(shownLines(lines, patternOf('hit'), 1).map((s) => `${s.kind} ${s.at}`)).toEqual(['around 2', 'hit 3', 'around 4', 'gap 5', 'around 6', 'hit 7', 'around 8']);
    expect(shownLines(lines, patternOf('hit'), 3).map((s) => s.at)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('takes /…/ as a pattern and finds nothing by a broken one', () => {
    expect(shownLines(lines, patternOf('/^s/'), 0).map((s) => s.text)).toEqual(['six', 'seven hit']);
    expect(patternOf('/(/')).toBeNull();
  });
});
