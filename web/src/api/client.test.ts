import { describe, expect, it } from 'vitest';
import { wholeList } from '@/api/client';

const serverOf = (count: number) => {
  const asked: number[] = [];
  const ask = async ({ offset, limit }: { offset: number; limit: number }) => {
    asked.push(offset);
    return Array.from({ length: Math.max(0, Math.min(limit, count - offset)) }, (_, i) => offset + i);
  };
  return { asked, ask };
};

describe('a list of which the server gives a part at a time', () => {
  it('is read to its end', async () => {
    const { asked, ask } = serverOf(1203);
    expect((await wholeList(ask)).at(-1)).toBe(1202);
    expect(asked).toEqual([0, 500, 1000]);
  });

  it('is asked for once where it is short, and once more where its last part is full', async () => {
    const [short, full] = [serverOf(3), serverOf(500)];
    expect(await wholeList(short.ask)).toEqual([0, 1, 2]);
    expect((await wholeList(full.ask)).length).toBe(500);
    expect([short.asked, full.asked]).toEqual([[0], [0, 500]]);
  });
});
