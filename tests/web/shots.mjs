// Screenshots of every page, light and dark, at three widths, into build/shots. Arguments pick pages.
import { mkdirSync } from 'node:fs';
import { ADMIN, endAll, freshScratch, openBrowser, PASSWORD, ROOT, serveDashboard, Server } from './lib.mjs';
import { fillLab, PAGES, runWork, STUDY_TABS, WORKLOAD_TABS } from './lab.mjs';

const WIDTHS = [390, 820, 1440];
const out = `${ROOT}build/shots`;
const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'));
const option = (name, all) => process.argv.find((a) => a.startsWith(`--${name}=`))?.split('=')[1].split(',') ?? all;
const widths = option('width', WIDTHS.map(String)).map(Number);
const themes = option('theme', ['light', 'dark']);

async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function shoot(context, base, list, width, theme) {
  const page = await context.newPage();
  await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
  const problems = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  for (const [name, path] of list) {
    await page.goto(base + path, { waitUntil: 'load' });
    await page.waitForSelector('h1');
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${out}/${name}-${theme}-${width}.png`, fullPage: false });
    const wide = await overflow(page);
    if (wide > 0) console.log(`overflow ${wide}px ${name} ${theme} ${width}`);
    for (const text of problems.splice(0)) if (!/Failed to load resource/.test(text)) console.log(`console ${name} ${theme} ${width}: ${text}`);
  }
  await page.close();
}

async function main() {
  freshScratch();
  mkdirSync(out, { recursive: true });
  const server = await new Server('main', ['--native-tasks', process.geteuid() === 0 ? 'isolated' : 'self', '--declared-gpus', '8xA100:80Gi']).start();
  server.token = await server.signIn();
  const lab = await fillLab(server);
  const real = await runWork(server, lab);
  await server.call('POST', '/api/v1/reservations', { name: 'night-shift', projectId: lab.robotics.id, gpu: 2, start: new Date(Date.now() - 3_600_000).toISOString(), end: new Date(Date.now() + 6 * 3_600_000).toISOString(), nodePool: 'a100' });
  const base = await serveDashboard(server);
  const browser = await openBrowser();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(base);
  await page.waitForSelector('input[name=username]');
  if (wanted.length === 0 || wanted.includes('sign-in')) await page.screenshot({ path: `${out}/sign-in-light-1440.png` });
  await page.fill('input[name=username]', ADMIN);
  await page.fill('input[name=password]', PASSWORD);
  await page.click('button[type=submit]');
  await page.waitForSelector('.sidebar', { state: 'attached' });
  const one = real.detector.workloadId;
  const all = [...PAGES, ...WORKLOAD_TABS.map((tab) => [`workload-${tab}`, `/workloads/${one}?tab=${tab}`]), ...STUDY_TABS.map((tab) => [`study-${tab}`, `/studies/${lab.study.id}?tab=${tab}`]), ['study-front', `/studies/${lab.front.id}`], ['study-trial', `/studies/${lab.study.id}?trial=30`], ['waiting', `/workloads/${real.pretrain.workloadId}`], ['failed', `/workloads/${real['bad-path'].workloadId}`]];
  const list = wanted.length > 0 ? all.filter(([name]) => wanted.some((w) => name.startsWith(w))) : all;
  for (const theme of themes) {
    await page.evaluate((t) => localStorage.setItem('gpuyard.theme', t), theme);
    for (const width of widths) await shoot(context, base, list, width, theme);
  }
  await browser.close();
  // What runs outlives its server, so it is ended before.
  for (const one of Object.values(real)) await server.call('DELETE', `/api/v1/workloads/trainings/${one.workloadId}`);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  console.log(`shots: ${out}`);
}

main().then(endAll, (error) => {
  console.error(error);
  endAll();
  process.exit(1);
});
