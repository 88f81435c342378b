// The words that people read: those that were found hard to understand do not come back.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { messageWords, reasonWords } from '@/lib/reasons';

const pages = import.meta.glob<string>('/src/**/*.tsx', { query: '?raw', import: 'default', eager: true });
const text = Object.values(pages).join('\n');

const NOT_ANY_MORE = ['Start it so', 'Would start now', 'Asked for<', 'GPU-hours held', 'Look again', 'I have kept it', 'Clear the choice', "'Life'", 'When others need the GPUs', 'as usual for this type', 'Sick', 'Foreign', 'Held idle', 'GPUs kept', 'Give back what', 'Times are those of your place', 'a sentence is good', 'It does not run now', 'You may not see your work', 'Fewest copies', 'Most copies', 'Folder of the node', 'Path inside'];
const SAID = ['Apply and start', 'Starts immediately', 'Requested', 'Allocated', 'Refresh', 'Clear selection', 'Run policy', 'Preemption', 'Release if unused for', 'Your time zone', 'Not running', 'You are not in a project yet'];

describe('words', () => {
  it('that were hard to understand are gone', () => {
    expect(Object.keys(pages).length).toBeGreaterThan(100);
    expect(NOT_ANY_MORE.filter((word) => text.includes(word))).toEqual([]);
  });

  it('that people know are there', () => {
    expect(SAID.filter((word) => !text.includes(word))).toEqual([]);
  });

  it('stand for every reason of the scheduler', () => {
    const header = readFileSync(new URL('../../../src/sched/reason.h', import.meta.url), 'utf8');
    const causes = (/enum class Cause [^{]*\{(.*?)\};/s.exec(header)?.[1] ?? '').replace(/\/\/.*/g, '').match(/\bk[A-Z]\w*/g) ?? [];
    const reasons = [...causes.map((cause) => cause.slice(1)).filter((cause) => cause !== 'None'), 'StartsNow', 'Dependency'];
    expect(reasons.length).toBeGreaterThan(25);
    expect(reasons.filter((reason) => reasonWords(reason) === reason)).toEqual([]);
  });

  it('of engines are those that people know', () => {
    expect(messageWords('the command ended well')).toBe('Succeeded');
    expect(messageWords('It used too much memory.')).toBe('Out of memory');
    expect(messageWords('Told to stop by the rule reclaim for work of another project')).toMatch(/^Preempted/);
    expect(messageWords('Pool a100 has 7 GPU free')).toContain('7 GPUs');
  });
});
