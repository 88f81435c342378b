// Renews src/api/types.ts from a server's own description: GPUYARD_URL=http://… npm run types
import { writeFileSync } from 'node:fs';
import openapi, { astToString } from 'openapi-typescript';

const server = process.env.GPUYARD_URL ?? 'http://127.0.0.1:8470';
const tree = await openapi(new URL('/openapi.json', server), { alphabetize: true });
const head = '// Made from /openapi.json by `npm run types`; do not edit.\n\n';
writeFileSync(new URL('../src/api/types.ts', import.meta.url), head + astToString(tree));
