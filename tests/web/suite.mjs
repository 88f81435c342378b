import { readFileSync } from 'node:fs';
import { buildDashboard, unitTests } from './build.mjs';
import { ADMIN, AXE, endAll, freshScratch, openBrowser, PASSWORD, serveDashboard, Server } from './lib.mjs';
import { fillLab, PAGES, WORKLOAD_TABS } from './lab.mjs';

const TESTS = [];
const test = (name, run) => TESTS.push([name, run]);
const MARKUP = '<img src=x onerror="window.injected=1"><b>bold</b>';

let server, base, browser, lab, admin;

function check(condition, message) {
  if (!condition) throw new Error(message);
}

// Routes that a server without an engine does not have; the browser reports the refusal by itself.
const MISSING = /Failed to load resource: the server responded with a status of (404|501)/;

/** A browser of its own for one person. */
class Person {
  static async of(username, password, path = '/') {
    const person = new Person();
    person.context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    person.page = await person.context.newPage();
    person.problems = [];
    person.page.on('console', (m) => m.type() === 'error' && !MISSING.test(m.text()) && person.problems.push(m.text()));
    person.page.on('pageerror', (error) => person.problems.push(String(error)));
    await person.page.goto(base + path);
    await person.signIn(username, password);
    return person;
  }

  async signIn(username, password) {
    await this.page.fill('input[name=username]', username);
    await this.page.fill('input[name=password]', password);
    await this.page.click('button[type=submit]');
  }

  async open(path) {
    await this.page.goto(base + path);
    await this.page.waitForSelector('main h1');
  }

  /** Goes there without loading the application again. */
  async go(path) {
    await this.page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await this.page.waitForTimeout(120);
    await this.page.waitForSelector('main h1');
    await this.page.waitForFunction(() => !document.querySelector('.progress, .skeleton'), null, { timeout: 20_000 });
    await this.page.waitForTimeout(150);
  }

  sees(text, timeout = 15_000) {
    return this.page.getByText(text).first().waitFor({ timeout });
  }
}

test('a_wrong_password_is_said_and_nothing_is_lost', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${base}/workloads`);
  await page.fill('input[name=username]', ADMIN);
  await page.fill('input[name=password]', 'wrong-password');
  await page.click('button[type=submit]');
  await page.getByText('is not right').waitFor();
  check((await page.inputValue('input[name=username]')) === ADMIN, 'the e-mail was lost');
  await context.close();
});

test('signing_in_with_a_temporary_password_asks_for_a_new_one', async () => {
  const ann = await Person.of('ann@lab.example.org', lab.ann.tempPassword, '/workloads');
  await ann.page.waitForSelector('input[name=next]');
  await ann.page.fill('input[name=current]', lab.ann.tempPassword);
  await ann.page.fill('input[name=next]', 'ann-keeps-a-long-one');
  await ann.page.fill('input[name=again]', 'ann-keeps-a-long-one');
  await ann.page.click('button[type=submit]');
  await ann.page.waitForSelector('.sidebar');
  check(new URL(ann.page.url()).pathname === '/workloads', 'the address was lost on the way');
  check(!(await ann.page.locator('.nav').innerText()).includes('Users'), 'a researcher sees Users');
  await ann.context.close();
});

test('an_environment_and_a_workload_made_by_forms_are_listed', async () => {
  await admin.open('/environments');
  await admin.page.getByRole('button', { name: 'New environment' }).first().click();
  await admin.page.fill('input[name="meta.name"]', 'plain-python');
  await admin.page.fill('input[name="spec.image"]', 'docker.io/library/python:3.12-slim');
  await admin.page.locator('dialog button[type=submit]').click();
  await admin.sees('docker.io/library/python:3.12-slim');
  await admin.open('/workloads/new');
  await admin.page.fill('input[name=name]', 'made-by-form');
  await admin.page.selectOption('select[name=project]', 'vision');
  await admin.page.getByRole('button', { name: /plain-python/ }).click();
  await admin.page.fill('input[name=gpu]', '0.5');
  await admin.page.locator('input[name=gpu]').blur();
  await admin.page.getByRole('button', { name: 'Submit training' }).click();
  await admin.page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  await admin.open('/workloads?q=made-by-form');
  await admin.sees('made-by-form');
  const made = (await server.call('GET', '/api/v1/workloads?search=made-by-form')).workloads[0];
  check(made.workloadRequestedResources.gpu.request === 0.5, 'the GPUs were not sent');
  check(made.images[0].endsWith('python:3.12-slim'), 'the image was not sent');
});

test('form_yaml_and_command_line_follow_each_other', async () => {
  await admin.open('/workloads/new');
  await admin.page.fill('input[name=name]', 'in-sync');
  const yaml = admin.page.getByRole('textbox', { name: 'YAML' });
  check((await yaml.inputValue()).includes('name: in-sync'), 'the YAML does not follow the form');
  await yaml.fill('kind: Training\nmetadata:\n  name: from-yaml\n  project: vision\nspec:\n  command: sleep 60\n');
  check((await admin.page.inputValue('input[name=name]')) === 'from-yaml', 'the form does not follow the YAML');
  await admin.page.getByRole('button', { name: 'Command line' }).click();
  const line = admin.page.getByRole('textbox', { name: 'Command line' });
  check((await line.inputValue()).includes('--name from-yaml'), 'the command line does not follow');
  await line.fill('gpuyard submit --name from-line --project robotics --gpu 2 -- python train.py');
  check((await admin.page.inputValue('input[name=name]')) === 'from-line', 'the form does not follow the command line');
  check((await admin.page.inputValue('input[name=gpu]')) === '2', 'the GPUs do not follow the command line');
});

test('a_refused_submission_says_why_and_keeps_what_was_typed', async () => {
  await admin.open('/workloads/new');
  await admin.page.fill('input[name=name]', 'made-by-form');
  await admin.page.selectOption('select[name=project]', 'vision');
  await admin.page.getByLabel('Command', { exact: true }).fill('sleep 1');
  await admin.page.getByRole('button', { name: 'Submit training' }).click();
  await admin.page.locator('.maker-side [role=alert]').first().waitFor();
  check((await admin.page.inputValue('input[name=name]')) === 'made-by-form', 'the name was lost');
});

test('two_browsers_see_a_change_within_a_second', async () => {
  const other = await Person.of(ADMIN, PASSWORD, '/workloads');
  await other.page.waitForSelector('table');
  await admin.open('/workloads');
  await other.page.waitForTimeout(500);
  for (const n of [1, 2, 3]) {
    await server.call('POST', '/api/v1/workloads/trainings', { name: `pushed-${n}`, projectId: lab.vision.id, clusterId: lab.cluster, spec: { command: 'true' } });
    const sent = Date.now();
    await Promise.all([other.sees(`pushed-${n}`), admin.sees(`pushed-${n}`)]);
    const took = Date.now() - sent;
    check(took < 1000 * slow(), `change ${n} took ${took} ms`);
    await other.page.waitForTimeout(800);
  }
  await other.context.close();
});

// A build with sanitizers on a busy machine is allowed more time; the limit is for the product.
const slow = () => (/release/.test(process.env.YARD_BUILD ?? 'release') ? 1 : 3);

test('a_custom_role_limits_what_is_seen', async () => {
  const ben = await Person.of('ben@lab.example.org', lab.ben.tempPassword);
  await ben.page.waitForSelector('input[name=next]');
  await ben.page.fill('input[name=current]', lab.ben.tempPassword);
  await ben.page.fill('input[name=next]', 'ben-keeps-a-long-one');
  await ben.page.fill('input[name=again]', 'ben-keeps-a-long-one');
  await ben.page.click('button[type=submit]');
  await ben.page.locator('.nav').getByText('Projects').waitFor();
  const menu = await ben.page.locator('.nav').innerText();
  check(/Departments/.test(menu), 'what the role gives is not in the menu');
  for (const hidden of ['Workloads', 'Users', 'Nodes', 'Credentials', 'Audit']) check(!menu.includes(hidden), `${hidden} is in the menu`);
  check((await ben.page.getByRole('link', { name: 'New workload' }).count()) === 0, 'there is a button to create work');
  await ben.open('/projects');
  await ben.sees('robotics');
  check((await ben.page.getByRole('button', { name: 'New project' }).count()) === 0, 'there is a button to create projects');
  await ben.open('/users');
  await ben.sees('You may not see users');
  await ben.context.close();
});

test('markup_in_a_name_is_shown_and_not_run', async () => {
  await server.call('POST', '/api/v1/asset/compute', { meta: { name: 'odd', description: MARKUP, scope: 'tenant' }, spec: { cpuCoreRequest: 1, cpuMemoryRequest: '1G' } });
  await server.call('POST', '/api/v1/authorization/roles', { name: 'odd-role', description: MARKUP, permissions: [{ resourceType: 'project', actions: ['read'] }] });
  await server.call('POST', '/api/v1/workloads/trainings', { name: 'odd-command', projectId: lab.vision.id, clusterId: lab.cluster, spec: { image: MARKUP, command: MARKUP } });
  const odd = (await server.call('GET', '/api/v1/workloads?search=odd-command')).workloads[0];
  for (const path of ['/compute', '/roles', '/workloads', `/workloads/${odd.id}?tab=details`, '/audit', `/workloads?q=${encodeURIComponent(MARKUP)}`, `/workloads/new?from=${odd.id}`]) {
    await admin.open(path);
    await admin.page.waitForTimeout(300);
    check((await admin.page.evaluate(() => window.injected)) === undefined, `it ran on ${path}`);
    check((await admin.page.locator('main b, main img').count()) === 0, `it became elements on ${path}`);
  }
  await admin.open('/compute');
  await admin.sees('<b>bold</b>');
});

test('filters_are_in_the_address_and_come_back_from_it', async () => {
  await admin.open('/workloads');
  await admin.page.getByRole('button', { name: 'Type' }).first().click();
  await admin.page.getByLabel('Distributed').click();
  await admin.page.waitForURL(/is\.type=Distributed/);
  await admin.page.keyboard.press('Escape');
  await admin.page.waitForFunction(() => [...document.querySelectorAll('tbody tr')].length > 0 && [...document.querySelectorAll('tbody tr')].every((row) => row.textContent.includes('Distributed')));
  const address = admin.page.url();
  await admin.page.goto(address);
  await admin.page.getByText('Type is Distributed').waitFor();
});

test('search_finds_pages_and_workloads_by_keyboard', async () => {
  await admin.open('/my-work');
  await admin.page.keyboard.press('Control+k');
  await admin.page.keyboard.type('vit-large');
  await admin.page.locator('.palette-hit', { hasText: 'vit-large' }).waitFor();
  await admin.page.keyboard.press('Enter');
  await admin.page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  await admin.page.locator('.palette').waitFor({ state: 'detached' });
  await admin.page.keyboard.press('Control+k');
  await admin.page.locator('.palette input').waitFor();
  await admin.page.keyboard.type('audit');
  await admin.page.locator('.palette-hit', { hasText: 'Audit log' }).waitFor();
  await admin.page.keyboard.press('Enter');
  await admin.page.waitForURL(/\/audit/);
});

test('many_are_deleted_at_once_after_a_question', async () => {
  await admin.open('/workloads?q=pushed-');
  await admin.sees('pushed-1');
  await admin.page.getByLabel('Select all on this page').check();
  await admin.page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await admin.page.getByText('cannot be taken back').waitFor();
  await admin.page.locator('dialog button[type=submit]').click();
  await admin.sees('No workload matches');
});

test('an_ended_session_asks_again_and_keeps_what_was_typed', async () => {
  await server.call('POST', '/api/v1/users', { email: 'eve@lab.example.org' }).then((made) => (lab.eve = made));
  const role = (await server.call('GET', '/api/v1/authorization/roles')).find((r) => r.name === 'System administrator');
  await server.call('POST', '/api/v1/authorization/access-rules', { subjectId: 'eve@lab.example.org', subjectType: 'user', roleId: role.id, scopeId: '1', scopeType: 'tenant' });
  const first = await server.signIn('eve@lab.example.org', lab.eve.tempPassword);
  await server.call('POST', '/api/v1/me/password', { currentPassword: lab.eve.tempPassword, newPassword: 'eve-keeps-a-long-one' }, first);
  const eve = await Person.of('eve@lab.example.org', 'eve-keeps-a-long-one', '/workloads/new');
  await eve.page.fill('input[name=name]', 'typed-before');
  await eve.page.selectOption('select[name=project]', 'vision');
  await eve.page.getByLabel('Command', { exact: true }).fill('sleep 1');
  await server.call('POST', `/api/v1/users/${lab.eve.id}/logout`);
  await eve.page.getByRole('button', { name: 'Submit training' }).click();
  await eve.page.getByText('Sign in again').waitFor();
  await eve.page.locator('dialog input[type=password]').fill('eve-keeps-a-long-one');
  await eve.page.locator('dialog button[type=submit]').click();
  await eve.page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  await eve.sees('typed-before');
  await eve.context.close();
});

/** Waits until the page is drawn and nothing on it moves: colours in between are nobody's. */
async function settled(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await frame();
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    await frame();
  });
}

/** Serious violations that axe finds on the page as it is. */
async function violations(page) {
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const serious = result.violations.filter((v) => ['serious', 'critical'].includes(v.impact));
  return serious.map((v) => `${v.id} ${v.nodes[0].target} (${v.nodes.length})`);
}

test('every_page_is_accessible_and_without_console_errors', async () => {
  const one = lab.workloads[0].workloadId;
  const pages = [...PAGES, ...WORKLOAD_TABS.map((tab) => [`workload-${tab}`, `/workloads/${one}?tab=${tab}`])];
  const found = [];
  await admin.open('/my-work');
  await admin.page.evaluate(readFileSync(AXE, 'utf8'));
  admin.problems.length = 0;
  for (const [name, path] of pages) {
    await admin.go(path);
    for (const theme of ['light', 'dark']) {
      await admin.page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
      await settled(admin.page);
      for (const text of await violations(admin.page)) found.push(`${name} ${theme}: ${text}`);
    }
    for (const text of admin.problems.splice(0)) found.push(`${name}: console: ${text}`);
  }
  check(found.length === 0, `${found.length}: ${found.slice(0, 14).join(' | ')}`);
});

test('no_page_is_wider_than_a_phone', async () => {
  await admin.page.setViewportSize({ width: 390, height: 844 });
  const wide = [];
  await admin.open('/my-work');
  for (const [name, path] of [...PAGES, ['workload', `/workloads/${lab.workloads[0].workloadId}`]]) {
    await admin.go(path);
    const more = await admin.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (more > 0) wide.push(`${name} by ${more}px`);
  }
  await admin.page.setViewportSize({ width: 1440, height: 900 });
  check(wide.length === 0, wide.join(', '));
});

test('a_lost_connection_is_said_and_mends_by_itself', async () => {
  await admin.open('/workloads');
  await admin.page.waitForSelector('table');
  await server.stop();
  await admin.sees('The connection to the server is lost');
  await admin.page.waitForSelector('table');
  await server.start(server.port);
  await admin.page.getByText('The connection to the server is lost').waitFor({ state: 'detached', timeout: 40_000 });
  await server.call('POST', '/api/v1/workloads/trainings', { name: 'after-restart', projectId: lab.vision.id, clusterId: lab.cluster, spec: { command: 'true' } });
  await admin.sees('after-restart');
});

async function report(name, run) {
  try {
    await run();
    console.log(`ok ${name}`);
    return 0;
  } catch (error) {
    const reason = String(error?.message ?? error).replace(/\u001b\[[0-9;]*m/g, '').replace(/\s+/g, ' ').slice(0, 1500);
    console.log(`not ok ${name} ${reason}`);
    return 1;
  }
}

async function main() {
  freshScratch();
  buildDashboard();
  let failed = 0;
  for (const { name, error } of process.env.WEB_ONLY ? [] : unitTests()) {
    failed += await report(name, () => check(error === null, String(error)));
  }
  server = await new Server().start();
  server.token = await server.signIn();
  lab = await fillLab(server);
  base = await serveDashboard(server);
  browser = await openBrowser();
  admin = await Person.of(ADMIN, PASSWORD, '/my-work');
  await admin.page.waitForSelector('.sidebar');
  for (const [name, run] of TESTS) if (!process.env.WEB_ONLY || new RegExp(process.env.WEB_ONLY).test(name)) failed += await report(name, run);
  await browser.close();
  return failed === 0 ? 0 : 1;
}

main().then(
  (code) => {
    endAll();
    process.exit(code);
  },
  (error) => {
    console.log(`not ok the_suite ${String(error).split('\n')[0]}`);
    endAll();
    process.exit(1);
  },
);
