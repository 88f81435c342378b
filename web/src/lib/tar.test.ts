import { describe, expect, it } from 'vitest';
import { firstFile, padding, tarEnd, tarHeader } from '@/lib/tar';

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
});
