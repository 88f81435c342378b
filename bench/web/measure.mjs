// See bench/web.sh.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { openBrowser } from '../../tests/web/lib.mjs';
import { Lab, ROUTES, Updates } from './lab.mjs';
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
  return [samples.slice(0, third), samples.slice(third, 2 * third), samples.slice(-third)].map((part) => part.map((s) => s[1] / 1024 / 1024));
}

const mean = (all) => all.reduce((sum, one) => sum + one, 0) / all.length;

// A sample also holds the answers that are on their way at that moment, the more the busier the machine is.
// What the page keeps shows in the median and in the least; the first third fills caches.
function heapRows(samples) {
  const all = thirds(samples);
  for (const [i, name] of ['first', 'middle', 'last'].entries()) {
    row(`page heap, least of the ${name} third`, Math.min(...all[i]), 'MiB');
    row(`page heap, median of the ${name} third`, median(all[i]), 'MiB');
    row(`page heap, mean of the ${name} third`, mean(all[i]), 'MiB');
    row(`page heap, most of the ${name} third`, worst(all[i]), 'MiB');
  }
  row('page heap, least of the last third less that of the middle one', Math.min(...all[2]) - Math.min(...all[1]), 'MiB', 1);
  row('page heap, mean of the last third less that of the middle one', mean(all[2]) - mean(all[1]), 'MiB', 1);
  row('page heap, median of the last third less that of the middle one', median(all[2]) - median(all[1]), 'MiB', 1);
}

async function measureMemory(browser, lab) {
  const idle = lab.cpu();
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  row('server CPU, nobody looking', ((lab.cpu() - idle) / 10) * 100, '% of a core');
  const updates = new Updates(lab, perSecond);
  await updates.start();
  const [cpu, began] = [lab.cpu(), Date.now()];
  const samples = await memory(browser, lab, '/workloads', { seconds, samples: Math.max(12, Math.round(seconds / 20)) });
  row(`server CPU at ${perSecond} updates/s, one page open`, ((lab.cpu() - cpu) / ((Date.now() - began) / 1000)) * 100, '% of a core');
  updates.stop();
  row('updates a second that came about', (updates.sent * Updates.PER_JOB * 1000) / (Date.now() - began), '/s');
  row('submissions that failed', updates.failed, '');
  row('page heap at the start', samples[0][1] / 1024 / 1024, 'MiB');
  row(`page heap after ${seconds / 60} min`, samples.at(-1)[1] / 1024 / 1024, 'MiB');
  heapRows(samples);
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
