// What can be shown of a file of a run. The browser never runs what is in it: texts stand as texts, pictures as
// pictures, in which scripts do not run.
import { openFile } from '@/api/runs';

export const PICTURE = /\.(png|jpe?g|gif|webp|svg)$/i;
const TEXT = /\.(txt|md|json|ya?ml|csv|log|py|sh|toml|ini|cfg|html?|xml|tsv|conf|patch|diff)$|^(MLmodel|requirements.*|Dockerfile)$/i;
const MOST_TEXT = 200_000;
export const MOST_PICTURE = 20_000_000;

export type Seen = { kind: 'text'; text: string; cut: boolean } | { kind: 'picture'; url: string } | null;

/** The page's own rules allow pictures of the server and those that stand in the page itself. */
function dataAddress(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the picture cannot be read'));
    reader.readAsDataURL(blob);
  });
}

export async function pictureOf(id: string, path: string): Promise<string> {
  const blob = await (await openFile(id, path)).blob();
  const type = /\.svg$/i.test(path) ? 'image/svg+xml' : `image/${(path.split('.').at(-1) ?? 'png').toLowerCase().replace('jpg', 'jpeg')}`;
  return dataAddress(new Blob([blob], { type }));
}

export async function look(id: string, path: string, size: number): Promise<Seen> {
  const name = path.split('/').at(-1) ?? '';
  if (PICTURE.test(name) && size <= MOST_PICTURE) return { kind: 'picture', url: await pictureOf(id, path) };
  if (!TEXT.test(name)) return null;
  const text = size === 0 ? '' : await (await openFile(id, path, MOST_TEXT)).text();
  return { kind: 'text', text, cut: size > MOST_TEXT };
}
