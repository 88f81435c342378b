// A notebook server for tests, installed once into build/jupyter.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { ROOT } from './lib.mjs';

const VENV = `${ROOT}build/jupyter`;

function run(program, ...args) {
  const done = spawnSync(program, args, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${program} ${args[0]}: ${(done.stderr || String(done.error)).slice(-400)}`);
}

/** The path of `jupyter`. */
export function jupyter() {
  const marker = `${VENV}/installed`;
  if (!existsSync(marker)) {
    // Debian's: work runs under an id of its own, which may not read somebody's own Python.
    run('/usr/bin/python3', '-m', 'venv', VENV);
    run(`${VENV}/bin/pip`, 'install', '--quiet', '--disable-pip-version-check', '--require-hashes', '-r', `${ROOT}tests/requirements/jupyter.txt`);
    writeFileSync(marker, '');
  }
  return `${VENV}/bin/jupyter`;
}
