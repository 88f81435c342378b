// See bench/web.sh.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { openBrowser } from '../../tests/web/lib.mjs';
import { Lab, Updates } from './lab.mjs';
import { changes, memory, paint, PAGES, scriptBytes } from './pages.mjs';

const number = (name, usual) => Number(process.env[name] ?? usual);
const rounds = number('ROUNDS', 5);
const seconds = number('MINUTES', 3) * 60;
const perSecond = number('UPDATES', 100);
const median = (all) => [...all].sort((a, b) => a - b)[Math.floor((all.length - 1) / 2)];
const worst = (all) => Math.max(...all);
// "memory" alone takes a fraction of the whole on a machine that others use, too.
const parts = (process.env.PARTS ?? 'routes,pages,memory').split(',');
const rows = [];

function row(what, value, unit, aim) {
  rows.push({ what, value: Math.round(value * 100) / 100, unit, aim });
  const met = aim === undefined ? '' : value <= aim ? `(aim ${aim})` : `(aim ${aim}: MISSED)`;
  console.log(`${what.padEnd(52)} ${String(rows.at(-1).value).padStart(10)} ${unit} ${met}`);
}

const ROUTES = ['/api/v1/workloads?limit=50&sortBy=createdAt&sortOrder=desc', '/api/v1/workloads/count', '/api/v1/queue', '/api/v1/gpus', '/api/v1/nodes?limit=200&sortBy=name', '/api/v1/org-unit/projects?limit=500&sortBy=name'];

async function timed(act) {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function measureRoutes(lab) {
  for (const path of ROUTES) {
    const times = [];
    for (let i = 0; i < rounds; i++) times.push(await timed(() => lab.call('GET', path)));
    row(`GET ${path.split('?')[0]} (${Math.round(lab.lastSize / 1024)} KiB)`, median(times), 'ms');
  }
  const { queue } = await lab.call('GET', '/api/v1/queue');
  const before = lab.cpu();
  await Promise.all(Array.from({ length: 50 }, () => lab.call('GET', ROUTES[0])));
  row('server processor time of one page of workloads', ((lab.cpu() - before) / 50) * 1000, 'ms');
  const times = [];
  for (const line of queue.slice(0, rounds)) times.push(await timed(() => lab.call('GET', `/api/v1/workloads/${line.workloadId}/why`)));
  row(`GET …/why, ${queue.length} waiting`, median(times), 'ms');
}

async function measurePages(browser, lab) {
  for (const page of PAGES) {
    const times = [];
    for (let i = 0; i < rounds; i++) times.push(await paint(browser, lab, page));
    row(`first useful paint, ${page.name}, median`, median(times.map((t) => t.at)), 'ms', 1500);
    row(`first useful paint, ${page.name}, worst of ${rounds}`, worst(times.map((t) => t.at)), 'ms');
    row(`  of the main thread's processor time, median`, median(times.map((t) => t.cpu)), 'ms');
  }
  const times = await changes(browser, lab, rounds);
  for (const [what, all] of Object.entries(times)) {
    row(`change of ${what}, median`, median(all.map((t) => t.at)), 'ms', 200);
    row(`  of the main thread's processor time, median`, median(all.map((t) => t.cpu)), 'ms');
  }
  row('JavaScript of the first load, gzip', (await scriptBytes(browser, lab)) / 1024, 'KiB', 350);
}

function thirds(samples) {
  const third = Math.floor(samples.length / 3);
  const mean = (part) => part.reduce((sum, s) => sum + s[1], 0) / part.length;
  return [samples.slice(0, third), samples.slice(third, 2 * third), samples.slice(-third)].map(mean);
}

// How much more the last third of the time holds than the third in the middle; the first third
// fills caches.
const growth = (samples) => thirds(samples)[2] - thirds(samples)[1];

async function measureMemory(browser, lab) {
  const idle = lab.cpu();
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  row('server CPU, nobody looking', ((lab.cpu() - idle) / 10) * 100, '% of a core');
  const updates = new Updates(lab, perSecond);
  await updates.start();
  const [cpu, began] = [lab.cpu(), Date.now()];
  const samples = await memory(browser, lab, '/workloads', { seconds, samples: 12 });
  row(`server CPU at ${perSecond} updates/s, one page open`, ((lab.cpu() - cpu) / ((Date.now() - began) / 1000)) * 100, '% of a core');
  updates.stop();
  const mib = (bytes) => bytes / 1024 / 1024;
  row('updates a second that came about', (updates.sent * Updates.PER_JOB * 1000) / (Date.now() - began), '/s');
  row('submissions that failed', updates.failed, '');
  row('page heap at the start', mib(samples[0][1]), 'MiB');
  for (const [i, name] of ['first', 'middle', 'last'].entries()) row(`page heap, mean of the ${name} third`, mib(thirds(samples)[i]), 'MiB');
  row(`page heap after ${seconds / 60} min`, mib(samples.at(-1)[1]), 'MiB');
  row(`page heap, last third of ${seconds / 60} min less the middle one`, mib(growth(samples)), 'MiB', 1);
  return samples;
}

const loadBefore = loadavg();
const lab = await Lab.start({ workloads: number('WORKLOADS', 100_000), nodes: number('NODES', 2000) });
let samples = [];
let browser;
let chromium = '';
try {
  row('filling and starting', lab.filledIn, 's', 60);
  row('server memory', lab.megabytes(), 'MiB');
  if (parts.includes('routes')) await measureRoutes(lab);
  browser = await openBrowser();
  chromium = browser.version();
  if (parts.includes('pages')) await measurePages(browser, lab);
  if (parts.includes('memory')) samples = await measureMemory(browser, lab);
  row('server memory at the end', lab.megabytes(), 'MiB');
} finally {
  await browser?.close();
  await lab.stop();
}
const machine = { cpu: cpus()[0].model, cores: cpus().length, loadBefore, loadAfter: loadavg(), chromium, date: new Date().toISOString() };
mkdirSync(dirname(process.argv[2]), { recursive: true });
writeFileSync(process.argv[2], JSON.stringify({ machine, rows, heap: samples }, null, 1));
