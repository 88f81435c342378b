// A look into a file of work, as far as people can read it.
import { useEffect, useState } from 'react';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Download } from '@/ui/icons';
import { Failed, Skeleton } from '@/ui/state';

const PICTURE = /\.(png|jpe?g|gif|webp|svg)$/i;
const MOST_TEXT = 200_000;
const MOST_PICTURE = 20_000_000;

export interface Previewed {
  name: string;
  size: number;
  /** The first bytes of it, as many as are asked for. */
  beginning: (most: number) => Promise<Blob>;
  save: () => void;
}

type Seen = { kind: 'text'; text: string; cut: boolean } | { kind: 'picture'; url: string } | { kind: 'bytes' };

/** The rules of the page allow pictures of the server and those that stand in the page itself. */
function dataAddress(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The picture cannot be read.'));
    reader.readAsDataURL(blob);
  });
}

function pictureType(name: string): string {
  const ending = (name.split('.').at(-1) ?? 'png').toLowerCase();
  return ending === 'svg' ? 'image/svg+xml' : `image/${ending.replace('jpg', 'jpeg')}`;
}

/** Text has no zero bytes and is valid UTF-8, but for a character that is cut at the end. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

async function look({ name, size, beginning }: Previewed): Promise<Seen> {
  if (PICTURE.test(name) && size <= MOST_PICTURE) return { kind: 'picture', url: await dataAddress(new Blob([await beginning(size)], { type: pictureType(name) })) };
  const text = size === 0 ? '' : textOf(new Uint8Array(await (await beginning(MOST_TEXT)).arrayBuffer()));
  return text === null ? { kind: 'bytes' } : { kind: 'text', text, cut: size > MOST_TEXT };
}

export function Preview({ file, onClose }: { file: Previewed; onClose: () => void }) {
  const [seen, setSeen] = useState<Seen | Error | null>(null);
  useEffect(() => {
    look(file).then(setSeen, (error: unknown) => setSeen(error instanceof Error ? error : new Error(String(error))));
  }, [file]);
  return (
    <Dialog
      wide
      title={file.name}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button icon={<Download size={14} />} onClick={file.save}>
            Download
          </Button>
        </>
      }
    >
      {seen === null ? <Skeleton lines={6} /> : seen instanceof Error ? <Failed small error={seen} what="this file" /> : <Content seen={seen} name={file.name} />}
    </Dialog>
  );
}

function Content({ seen, name }: { seen: Seen; name: string }) {
  if (seen.kind === 'picture') return <img className="file-picture" src={seen.url} alt={name} />;
  if (seen.kind === 'bytes') return <p className="muted">This file is not text. Download it to open it with its program.</p>;
  return (
    <>
      <pre className="file-text" tabIndex={0}>
        {seen.text || 'The file is empty.'}
      </pre>
      {seen.cut ? <p className="muted small">This is the beginning. Download the file to read all of it.</p> : null}
    </>
  );
}
