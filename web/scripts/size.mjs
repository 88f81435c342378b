// Fails when what the first page needs is more than the limit: the entry and all it imports at once.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT_KB = 350;
const dist = new URL('../dist/', import.meta.url);
const html = readFileSync(new URL('index.html', dist), 'utf8');
const seen = new Map();

function visit(path) {
  if (seen.has(path)) return;
  const bytes = readFileSync(new URL(path.replace(/^\//, ''), dist));
  seen.set(path, gzipSync(bytes).length);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  for (const [, name] of bytes.toString().matchAll(/(?:from|^import|;import)\s*"\.\/([^"]+\.js)"/g)) visit(folder + name);
}

for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)) visit(path);
const total = [...seen.values()].reduce((sum, size) => sum + size, 0) / 1000;
for (const [path, size] of seen) console.log(`${(size / 1000).toFixed(1).padStart(7)} kB gzip  ${path}`);
console.log(`${total.toFixed(1).padStart(7)} kB gzip  first load (limit ${LIMIT_KB} kB)`);
if (seen.size === 0 || total > LIMIT_KB) {
  console.error('size: the first load is too large, or nothing was found');
  process.exit(1);
}
