// Screenshots of every page, light and dark, at four widths, as five people, and of dialogs, into build/shots.
// Arguments pick pages and dialogs; --role, --width and --theme pick of those, --whole takes whole pages.
// Refused requests, pages that never stop to load and pages wider than the window are printed.
import { mkdirSync } from 'node:fs';
import { ADMIN, endAll, freshScratch, openBrowser, PASSWORD, ROOT, serveDashboard, Server } from './lib.mjs';
import { fillLab, PAGES, runWork, STUDY_TABS, WORKLOAD_TABS } from './lab.mjs';
import { DIALOGS, openDialog } from './dialogs.mjs';
import { fillRuns, trackedPages } from './tracked.mjs';

const WIDTHS = [390, 768, 1366, 1920];
const out = `${ROOT}build/shots`;
const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'));
const option = (name, all) => process.argv.find((a) => a.startsWith(`--${name}=`))?.split('=')[1].split(',') ?? all;
const widths = option('width', WIDTHS.map(String)).map(Number);
const themes = option('theme', ['light', 'dark']);
const whole = process.argv.includes('--whole'); // all of a page, not what one window shows of it
const roles = option('role', ['administrator', 'department', 'researcher', 'viewer', 'newcomer']);

/** An account with one role, or none. */
async function account(server, email, role, scope) {
  const made = await server.call('POST', '/api/v1/users', { email });
  if (role) {
    const found = (await server.call('GET', '/api/v1/authorization/roles')).find((r) => r.name === role);
    await server.call('POST', '/api/v1/authorization/access-rules', { subjectId: email, subjectType: 'user', roleId: found.id, ...scope });
  }
  const password = `${email}-keeps-a-long-one`;
  const first = await server.signIn(email, made.tempPassword);
  await server.call('POST', '/api/v1/me/password', { currentPassword: made.tempPassword, newPassword: password }, first);
  return [email, password];
}

async function people(server, lab) {
  const project = { scopeType: 'project', scopeId: lab.vision.id };
  return {
    administrator: [ADMIN, PASSWORD],
    department: await account(server, 'dora@lab.example.org', 'Department administrator', { scopeType: 'department', scopeId: lab.research.id }),
    researcher: await account(server, 'rita@lab.example.org', 'L1 researcher', project),
    viewer: await account(server, 'vera@lab.example.org', 'Viewer', project),
    newcomer: await account(server, 'nora@lab.example.org'),
  };
}

/** Pages of single things. */
const OBJECTS = (lab) => [
  ['project', `/projects/${lab.vision.id}`],
  ['person', '/users/ann%40lab.example.org'],
  ['pool', '/node-pools/a100'],
  ['node', '/nodes/node-1'],
  ['environment', `/environments/${lab.environment.meta.id}`],
  ['reservation', `/reservations/${lab.kept[0].id}`],
];

/** Work of another project than that of the researcher and the viewer. */
const OTHERS = ['waiting', 'failed'];
const mayAll = ['administrator', 'department'];

async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Waits until nothing loads any more; says so where that never comes. */
async function settled(page, name) {
  await page.waitForSelector('h1');
  await page.waitForFunction(() => !document.querySelector('.progress, .skeleton'), null, { timeout: 15_000 }).catch(() => console.log(`skeleton ${name}`));
  await page.waitForTimeout(250);
}

/** Each page once, at every width. */
async function shoot(context, base, list, look) {
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => message.type() === 'error' && !/Failed to load resource/.test(message.text()) && problems.push(message.text()));
  page.on('response', (r) => r.status() >= 400 && problems.push(`${r.status()} ${new URL(r.url()).pathname}`));
  page.on('pageerror', (error) => problems.push(String(error)));
  for (const [name, path] of list) {
    await page.goto(base + path, { waitUntil: 'load' });
    await settled(page, `${name} ${look}`);
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
      await page.waitForTimeout(200);
      await page.screenshot({ path: `${out}/${name}-${look}-${width}.png`, fullPage: whole });
      const wide = await overflow(page);
      if (wide > 0) console.log(`overflow ${wide}px ${name} ${look} ${width}`);
    }
    for (const text of problems.splice(0)) console.log(`console ${name} ${look}: ${text}`);
  }
  await page.close();
}

/** Each dialog once, at every width. */
async function shootDialogs(context, base, look) {
  const page = await context.newPage();
  for (const [path, name, menu] of DIALOGS) {
    const file = `dialog-${path.slice(1).replace(/\W/g, '-')}-${name.toLowerCase().replace(/\W+/g, '-')}`;
    if (wanted.length > 0 && !wanted.some((w) => file.startsWith(w))) continue;
    await page.setViewportSize({ width: 1366, height: 900 });
    await page.goto(base + path, { waitUntil: 'load' });
    await settled(page, file);
    await openDialog(page, name, menu).catch((error) => console.log(`dialog ${file}: ${String(error).split('\n')[0]}`));
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
      await page.waitForTimeout(200);
      await page.screenshot({ path: `${out}/${file}-${look}-${width}.png` });
    }
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
  const tracked = await fillRuns(server, lab.vision);
  await server.call('POST', '/api/v1/reservations', { name: 'night-shift', projectId: lab.robotics.id, gpu: 2, start: new Date(Date.now() - 3_600_000).toISOString(), end: new Date(Date.now() + 6 * 3_600_000).toISOString(), nodePool: 'a100' });
  const base = await serveDashboard(server);
  const browser = await openBrowser();
  const accounts = await people(server, lab);
  const one = real.detector.workloadId;
  const all = [...PAGES, ...WORKLOAD_TABS.map((tab) => [`workload-${tab}`, `/workloads/${one}?tab=${tab}`]), ...STUDY_TABS.map((tab) => [`study-${tab}`, `/studies/${lab.study.id}?tab=${tab}`]), ['study-front', `/studies/${lab.front.id}`], ['study-trial', `/studies/${lab.study.id}?trial=30`], ['waiting', `/workloads/${real.pretrain.workloadId}`], ['failed', `/workloads/${real['bad-path'].workloadId}`], ['raises', `/workloads/${real.raises.workloadId}`], ['raises-logs', `/workloads/${real.raises.workloadId}?tab=logs`], ['results-files', `/workloads/${real['leaves-results'].workloadId}?tab=files`], ['results-logs', `/workloads/${real['leaves-results'].workloadId}?tab=logs`], ['nth-gpu', '/queue?view=running'], ...trackedPages(tracked), ...OBJECTS(lab)];
  const list = wanted.length > 0 ? all.filter(([name]) => wanted.some((w) => name.startsWith(w))) : all;
  for (const role of roles) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(base);
    await page.waitForSelector('input[name=username]');
    if (role === 'administrator' && (wanted.length === 0 || wanted.includes('sign-in'))) await page.screenshot({ path: `${out}/sign-in-light-1440.png` });
    await page.fill('input[name=username]', accounts[role][0]);
    await page.fill('input[name=password]', accounts[role][1]);
    await page.click('button[type=submit]');
    await page.waitForSelector('.sidebar a', { state: 'attached' });
    const menu = await page.locator('.nav a').evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
    const shown = list.filter(([name, path]) => path === '/account' || (menu.includes(`/${path.split(/[/?]/)[1]}`) && (mayAll.includes(role) || !OTHERS.includes(name))));
    for (const theme of themes) {
      await page.evaluate((t) => localStorage.setItem('gpuyard.theme', t), theme);
      await shoot(context, base, shown, `${role}-${theme}`);
      if (role === 'administrator') await shootDialogs(context, base, `${role}-${theme}`);
    }
    await context.close();
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
