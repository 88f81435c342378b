import { describe, expect, it } from 'vitest';
import { beginningOf, firstFile, padding, tarEnd, tarHeader } from '@/lib/tar';

describe('archives', () => {
  it('come back as they were packed', async () => {
    const header = tarHeader('grüße.txt', 5, 0);
    const archive = new Blob([header as BlobPart, 'hello', padding(5), tarEnd()]);
    expect(archive.size % 512).toBe(0);
    expect(await (await firstFile(archive))?.text()).toBe('hello');
  });

  it('refuse names that do not fit and hold nothing when empty', async () => {
    expect(tarHeader('x'.repeat(101), 1, 0)).toBeNull();
    expect(await firstFile(new Blob([tarEnd()]))).toBeNull();
    expect(padding(512)).toHaveLength(0);
  });

  it('give the beginning of a file without being read to their end', async () => {
    const header = tarHeader('long.txt', 100_000, 0);
    let asked = 0;
    const archive = new ReadableStream<Uint8Array>({
      pull: (to) => to.enqueue(asked++ === 0 ? (header as Uint8Array) : new Uint8Array(4096).fill(65)),
    });
    const found = await beginningOf(archive, 3000);
    expect(await found?.text()).toBe('A'.repeat(3000));
    expect(asked).toBeLessThan(8);
    expect(await beginningOf(new Blob([tarEnd()]).stream(), 10)).toBeNull();
  });
});
