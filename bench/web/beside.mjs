// Two programs in one run, in turns: the one of $YARD_BUILD and the one of $BESIDE. While one is measured the other
// stands still. See bench/web.sh.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { openBrowser, PROGRAM } from '../../tests/web/lib.mjs';
import { Lab, ROUTES } from './lab.mjs';
import { changes, paint, PAGES, scriptBytes } from './pages.mjs';

const number = (name, usual) => Number(process.env[name] ?? usual);
const rounds = number('ROUNDS', 7);
const size = { workloads: number('WORKLOADS', 100_000), nodes: number('NODES', 2000) };
const median = (all) => [...all].sort((a, b) => a - b)[Math.floor((all.length - 1) / 2)];

/** Values by what was measured, of one program. */
class Values {
  constructor() {
    this.of = new Map();
  }
  add(what, value) {
    this.of.set(what, [...(this.of.get(what) ?? []), value]);
  }
}

async function timed(act) {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

/** Everything once. */
async function round(browser, lab, values) {
  for (const path of ROUTES) values.add(`GET ${path.split('?')[0]}, ms`, await timed(() => lab.call('GET', path)));
  const before = lab.cpu();
  for (let i = 0; i < 20; i++) await lab.call('GET', ROUTES[0]);
  values.add('server processor time of a page of workloads, ms', ((lab.cpu() - before) / 20) * 1000);
  for (const page of PAGES) {
    const { at, cpu } = await paint(browser, lab, page);
    values.add(`first useful paint, ${page.name}, ms`, at);
    values.add(`first useful paint, ${page.name}, main thread, ms`, cpu);
  }
  for (const [what, all] of Object.entries(await changes(browser, lab, 1))) {
    for (const { at, cpu } of all) {
      values.add(`change of ${what}, ms`, at);
      values.add(`change of ${what}, main thread, ms`, cpu);
    }
  }
  values.add('JavaScript of the first load, KiB', (await scriptBytes(browser, lab)) / 1024);
}

const loadBefore = loadavg();
const sides = [];
let browser;
try {
  for (const [name, program] of [['old', `${process.env.BESIDE}/gpuyard`], ['new', PROGRAM]]) {
    const lab = await Lab.start({ ...size, program, name });
    lab.pause();
    sides.push({ name, lab, values: new Values() });
  }
  browser = await openBrowser();
  // The first round warms both and is not counted.
  for (let i = 0; i <= rounds; i++) {
    for (const side of i % 2 === 0 ? sides : [...sides].reverse()) {
      side.lab.resume();
      await round(browser, side.lab, i === 0 ? new Values() : side.values);
      side.lab.pause();
    }
    console.log(`round ${i} of ${rounds}`);
  }
} finally {
  await browser?.close();
  for (const { lab } of sides) await lab.stop();
}
const [old, now] = sides.map((side) => side.values.of);
const round2 = (value) => Math.round(value * 100) / 100;
const rows = [...now].map(([what, all]) => ({ what, old: round2(median(old.get(what))), new: round2(median(all)), ratio: round2(median(all) / median(old.get(what))) }));
for (const { what, old: before, new: after, ratio } of rows) console.log(`${what.padEnd(60)} ${String(before).padStart(10)} ${String(after).padStart(10)} ${String(ratio).padStart(7)}`);
const machine = { cpu: cpus()[0].model, cores: cpus().length, loadBefore, loadAfter: loadavg(), date: new Date().toISOString() };
mkdirSync(dirname(process.argv[2]), { recursive: true });
writeFileSync(process.argv[2], JSON.stringify({ machine, rounds, ...size, rows }, null, 1));
