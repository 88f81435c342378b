import { describe, expect, it } from 'vitest';
import type { QueueLine } from '@/api/engine';
import { isMovable, moveTo, step } from '@/pages/queue/reorder';

function line(name: string, priority: number, priorityClass: string, submittedAt: string, more: Partial<QueueLine> = {}): QueueLine {
  const unit = { held: 0, ahead: 0, share: 4, quota: 4, priority: 0 };
  return { workloadId: name, name, projectName: 'vision', userName: 'ann', position: 1, reason: 'Gpus', gpu: 1, terms: { policy: 'FairShare', pool: 'default', priority, priorityClass, submittedAt, wants: 1, project: unit }, ...more };
}
const old = line('old', 50, 'train', '2026-11-15T08:00:00Z');
const young = line('young', 50, 'train', '2026-11-15T09:00:00Z');

describe('moving waiting work', () => {
  it('passes work of the same priority by the next class up', () => {
    expect(step([old, young], young, 'up')?.priorityClass).toBe('medium-low');
    expect(step([old, young], old, 'down')?.priorityClass).toBe('low');
  });

  it('takes the same class where age does the rest', () => {
    const high = line('high', 80, 'medium', '2026-11-15T10:00:00Z');
    expect(moveTo(old, high, 'before')?.priorityClass).toBe('medium');
    expect(moveTo(high, old, 'after')?.priorityClass).toBe('train');
  });

  it('has no place above the first, below the last or in another project', () => {
    expect(step([old, young], old, 'up')).toBeNull();
    expect(step([old, young], young, 'down')).toBeNull();
    expect(moveTo(old, { ...young, projectName: 'robotics' }, 'before')).toBeNull();
  });

  it('is for one’s own work where priorities count', () => {
    expect(isMovable(old, 'ann')).toBe(true);
    expect(isMovable(old, 'ben')).toBe(false);
    expect(isMovable({ ...old, terms: { ...old.terms!, policy: 'Fifo' } }, 'ann')).toBe(false);
  });
});
