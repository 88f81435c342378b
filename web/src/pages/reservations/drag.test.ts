import { describe, expect, it } from 'vitest';
import { spanOf } from '@/pages/reservations/drag';

const columns = [0, 10, 20, 30].map((from) => ({ from, to: from + 10 }));

describe('a time chosen by dragging', () => {
  it('is whole columns, in either direction', () => {
    expect(spanOf(columns, 1, 2, 0)).toEqual({ from: 10, to: 30 });
    expect(spanOf(columns, 2, 1, 0)).toEqual({ from: 10, to: 30 });
    expect(spanOf(columns, 3, 3, 0)).toEqual({ from: 30, to: 40 });
  });
  it('begins now where its first column has begun, and is nothing in the past', () => {
    expect(spanOf(columns, 0, 2, 15)).toEqual({ from: 15, to: 30 });
    expect(spanOf(columns, 0, 1, 25)).toBeNull();
  });
});
