// Installs what the dashboard is built with and builds it, when something is newer than the result.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { ROOT, SCRATCH } from './lib.mjs';

const WEB = `${ROOT}web`;

function newest(path) {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(`${path}/${name}`)));
}

function npm(...args) {
  const done = spawnSync('npm', args, { cwd: WEB, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`npm ${args.join(' ')}: ${(done.stdout + done.stderr).slice(-600)}`);
}

export function buildDashboard() {
  const marker = `${WEB}/node_modules/.package-lock.json`;
  if (!existsSync(marker) || statSync(marker).mtimeMs < statSync(`${WEB}/package-lock.json`).mtimeMs) {
    // `npm ci` would insist on the builds of some packages for every other platform.
    npm('install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error');
  }
  const sources = ['src', 'site', '../docs', 'public', 'index.html', 'vite.config.ts', 'package-lock.json'].map((name) => newest(`${WEB}/${name}`));
  const page = `${WEB}/dist/index.html`;
  if (!existsSync(page) || statSync(page).mtimeMs < Math.max(...sources)) npm('run', 'build');
}

/** The unit tests, one line each. */
export function* unitTests() {
  const report = `${SCRATCH}/vitest.json`;
  spawnSync('npx', ['vitest', 'run', '--reporter=json', `--outputFile=${report}`], { cwd: WEB, encoding: 'utf8' });
  if (!existsSync(report)) {
    yield { name: 'unit_tests', error: 'vitest left no report' };
    return;
  }
  for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    if (file.assertionResults.length === 0) yield { name: file.name.split('/').at(-1), error: file.message || 'no test' };
    for (const one of file.assertionResults) {
      const name = one.fullName.replace(/[^A-Za-z0-9]+/g, '_').toLowerCase();
      yield { name, error: one.status === 'passed' ? null : (one.failureMessages[0] ?? one.status) };
    }
  }
}
