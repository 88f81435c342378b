// Renews src/api/types.ts from a server's own description: GPUYARD_URL=http://… npm run types
// With --check nothing is written: it fails when the file is older than the API.
import { readFileSync, writeFileSync } from 'node:fs';
import openapi, { astToString } from 'openapi-typescript';

const server = process.env.GPUYARD_URL ?? 'http://127.0.0.1:8470';
const file = new URL('../src/api/types.ts', import.meta.url);
const tree = await openapi(new URL('/openapi.json', server), { alphabetize: true });
const text = '// Made from /openapi.json by `npm run types`; do not edit.\n\n' + astToString(tree);
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('types: src/api/types.ts is not what this server describes; run `npm run types`');
  process.exit(1);
}
