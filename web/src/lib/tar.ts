// As much of the tar format as moving files in and out of running work takes.

const BLOCK = 512;
const NAME_BYTES = 100;

function put(header: Uint8Array, at: number, text: string): void {
  header.set(new TextEncoder().encode(text), at);
}

/** The header of one plain file; null for a name that does not fit. */
export function tarHeader(name: string, size: number, modified: number): Uint8Array<ArrayBuffer> | null {
  if (new TextEncoder().encode(name).length > NAME_BYTES) return null;
  const header = new Uint8Array(BLOCK);
  const octal = (value: number, digits: number) => `${Math.floor(value).toString(8).padStart(digits, '0')}\0`;
  put(header, 0, name);
  put(header, 100, octal(0o644, 7));
  put(header, 108, octal(0, 7));
  put(header, 116, octal(0, 7));
  put(header, 124, octal(size, 11));
  put(header, 136, octal(modified / 1000, 11));
  put(header, 148, '        ');
  put(header, 156, '0');
  put(header, 257, 'ustar\x0000');
  const sum = header.reduce((all, byte) => all + byte, 0);
  put(header, 148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return header;
}

export const padding = (size: number) => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
export const tarEnd = () => new Uint8Array(2 * BLOCK);

const text = (bytes: Uint8Array, from: number, length: number) => new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0[^]*$/, '');

/** Large sizes are written in binary, others in octal. */
function sizeIn(header: Uint8Array): number {
  if (((header[124] ?? 0) & 0x80) === 0) return parseInt(text(header, 124, 12).trim() || '0', 8);
  return header.subarray(125, 136).reduce((all, byte) => all * 256 + byte, 0);
}

/** The content of the first plain file in an archive; null if there is none. */
export async function firstFile(archive: Blob): Promise<Blob | null> {
  for (let at = 0; at + BLOCK <= archive.size; ) {
    const header = new Uint8Array(await archive.slice(at, at + BLOCK).arrayBuffer());
    if (header[0] === 0) return null;
    const size = sizeIn(header);
    const kind = String.fromCharCode(header[156] ?? 0);
    if (kind === '0' || kind === '\0') return archive.slice(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return null;
}

/** The beginning of the first plain file of an archive as it arrives, at most `most` bytes; the rest is not asked for. Null: there is none. */
export async function beginningOf(archive: ReadableStream<Uint8Array>, most: number): Promise<Blob | null> {
  const reader = archive.getReader();
  let held = new Blob();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (value) held = new Blob([held, value as Uint8Array<ArrayBuffer>]);
      const found = done || held.size >= most + MOST_HEADERS ? await firstFile(held) : null;
      if (found) return found.slice(0, most);
      if (done) return null;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** A long name and other notes may stand before the file. */
const MOST_HEADERS = 16 * BLOCK;
