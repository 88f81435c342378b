import { describe, expect, it } from 'vitest';
import { cell, toCsv } from '@/lib/csv';
import { foldLine, LineFolder } from '@/lib/fold';
import { bytes, parseBytes, quotaWords } from '@/lib/quantity';
import { EventParser } from '@/lib/sse';
import { duration, mark, relative, startRange } from '@/lib/time';

describe('folding of log lines', () => {
  it('keeps what a carriage return left on the screen', () => {
    expect(foldLine('10%\r50%\r100%')).toBe('100%');
    expect(foldLine('loading...\rdone')).toBe('doneing...');
    expect(foldLine('windows line\r')).toBe('windows line');
  });

  it('takes colour and titles out', () => {
    expect(foldLine('\u001b[1;31mred\u001b[0m and \u001b]0;title\u0007plain')).toBe('red and plain');
  });

  it('joins pieces that are cut anywhere', () => {
    const folder = new LineFolder();
    const text = 'one\ntwo\rTWO\nthr';
    const lines = [...text].flatMap((c) => folder.push(c));
    expect(lines).toEqual(['one', 'TWO']);
    expect(folder.open).toBe('thr');
  });

  it('does not grow with a progress bar that never ends its line', () => {
    const folder = new LineFolder();
    for (let i = 0; i < 5000; i++) folder.push(`\r${i} of 5000 ${'#'.repeat(60)}`);
    expect(folder.open.startsWith('4999 of 5000')).toBe(true);
    expect((folder as unknown as { rest: string }).rest.length).toBeLessThan(70_000);
  });
});

describe('server-sent events', () => {
  const stream = 'retry: 2000\n\n: hello\n\nevent: change\nid: 7\ndata: {"kind":"workload"}\n\ndata: a\ndata: b\r\n\r\n';

  it('come out whole from pieces of any size', () => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const parser = new EventParser();
      const events = [];
      for (let i = 0; i < stream.length; i += size) events.push(...parser.push(stream.slice(i, i + size)));
      expect(events).toEqual([
        { event: 'change', data: '{"kind":"workload"}', id: '7' },
        { event: 'message', data: 'a\nb', id: '7' },
      ]);
      expect(parser.retry).toBe(2000);
    }
  });
});

describe('CSV', () => {
  it('quotes what needs it and defuses formulas', () => {
    expect(cell('a,"b"')).toBe('"a,""b"""');
    expect(cell('=HYPERLINK("x")')).toBe('"\'=HYPERLINK(""x"")"');
    expect(cell(-1.5)).toBe('-1.5');
    expect(toCsv(['a'], [[null]])).toBe('a\r\n\r\n');
  });
});

describe('amounts and times', () => {
  it('reads both kinds of units', () => {
    expect(parseBytes('16G')).toBe(16e9);
    expect(parseBytes('16Gi')).toBe(16 * 2 ** 30);
    expect(parseBytes('nonsense')).toBeNull();
    expect(bytes(1536)).toBe('1.5 KiB');
  });

  it('says times as people do', () => {
    expect(relative(1_000_000, 1_000_000 + 65_000)).toBe('1 min ago');
    expect(relative(1_000_000 + 7_200_000, 1_000_000)).toBe('in 2 h');
    expect(duration(3725)).toBe('1 h 02 min');
    expect(startRange(1000, 1000, 0)).toBe('any moment');
    expect(startRange(600_000, 7_200_000, 0)).toBe('in 10 min to 2 h');
    expect(startRange(600_000, null, 0)).toBe('in 10 min or later');
    expect(startRange(null, null, 0)).toBeNull();
  });

  it('marks a scale without two marks that read the same', () => {
    expect([0, 1, 2, 3, 4, 5].map(mark)).toEqual(['0 s', '1 s', '2 s', '3 s', '4 s', '5 s']);
    expect([0, 900, 3600, 5400, 86_400].map(mark)).toEqual(['0 s', '15 min', '1 h', '1.5 h', '1 d']);
  });
});

describe('a quota', () => {
  it('is told from one without an end and from none', () => {
    expect(quotaWords(1, 4)).toBe('1 GPU in use, quota 4');
    expect(quotaWords(undefined, -1)).toBe('0 GPUs in use, quota unlimited');
    expect(quotaWords(0.5, undefined)).toBe('0.5 GPUs in use, no quota');
  });
});

describe('a time below a second', () => {
  it('is not said to be none', () => {
    expect([duration(0), duration(0.004), duration(0.99), duration(1.5)]).toEqual(['0 s', 'under 1 s', 'under 1 s', '1 s']);
  });
});
