// Signing in, forms, lists and what every page must keep.
import { spawnSync } from 'node:child_process';
import { settled, takeAxe, violations } from './axe.mjs';
import { DIALOGS, openDialog } from './dialogs.mjs';
import { ADMIN, ROOT } from './lib.mjs';
import { PAGES, STUDY_TABS, WORKLOAD_TABS } from './lab.mjs';
import { check, Person, test, world } from './world.mjs';

test('the_types_are_those_of_the_api', async () => {
  const done = spawnSync('node', ['scripts/types.mjs', '--check'], { cwd: `${ROOT}web`, encoding: 'utf8', env: { ...process.env, GPUYARD_URL: world.server.url } });
  check(done.status === 0, done.stderr.slice(-300));
});

test('a_wrong_password_is_said_and_nothing_is_lost', async () => {
  const context = await world.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${world.base}/workloads`);
  await page.fill('input[name=username]', ADMIN);
  await page.fill('input[name=password]', 'wrong-password');
  await page.click('button[type=submit]');
  await page.getByText('is not right').waitFor();
  check((await page.inputValue('input[name=username]')) === ADMIN, 'the e-mail was lost');
  await context.close();
});

test('signing_in_with_a_temporary_password_asks_for_a_new_one', async () => {
  const ann = await Person.of('ann@lab.example.org', world.lab.ann.tempPassword, '/workloads');
  await ann.page.waitForSelector('input[name=next]');
  await ann.page.fill('input[name=next]', 'ann-keeps-a-long-one');
  await ann.page.fill('input[name=again]', 'ann-keeps-a-long-one');
  await ann.page.click('button[type=submit]');
  await ann.page.waitForSelector('.sidebar');
  check(new URL(ann.page.url()).pathname === '/workloads', 'the address was lost on the way');
  check(!(await ann.page.locator('.nav').innerText()).includes('Users'), 'a researcher sees Users');
  await ann.context.close();
});

test('an_environment_and_a_workload_made_by_forms_are_listed', async () => {
  await world.admin.open('/environments');
  await world.admin.page.getByRole('button', { name: 'New environment' }).first().click();
  await world.admin.page.fill('input[name="meta.name"]', 'plain-python');
  await world.admin.page.fill('input[name="spec.image"]', 'docker.io/library/python:3.12-slim');
  await world.admin.page.locator('dialog button[type=submit]').click();
  await world.admin.sees('docker.io/library/python:3.12-slim');
  await world.admin.open('/workloads/new');
  await world.admin.page.fill('input[name=name]', 'made-by-form');
  await world.admin.page.selectOption('select[name=project]', 'vision');
  await world.admin.page.getByRole('button', { name: /plain-python/ }).click();
  await world.admin.page.fill('input[name=gpu]', '0.5');
  await world.admin.page.locator('input[name=gpu]').blur();
  await world.admin.page.getByRole('button', { name: 'Submit training' }).click();
  await world.admin.page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  await world.admin.open('/workloads?q=made-by-form');
  await world.admin.sees('made-by-form');
  const made = (await world.server.call('GET', '/api/v1/workloads?search=made-by-form')).workloads[0];
  check(made.workloadRequestedResources.gpu.request === 0.5, 'the GPUs were not sent');
  check(made.images[0].endsWith('python:3.12-slim'), 'the image was not sent');
});

test('a_quota_beyond_the_hardware_is_marked_and_explained', async () => {
  const resources = [{ nodePool: { id: '1', name: 'default' }, gpu: { deserved: 9000 } }];
  const promised = await world.server.call('POST', '/api/v1/org-unit/projects', { name: 'promised', clusterId: world.lab.cluster, parentId: world.lab.research.id, resources });
  await world.admin.open('/projects');
  await world.admin.page.locator('tr', { hasText: 'promised' }).getByText('too much').waitFor();
  await world.admin.open('/departments');
  await world.admin.page.locator('tr', { hasText: 'research' }).getByText('too much').waitFor();
  await world.admin.open(`/projects/${promised.id}`);
  await world.admin.sees(/Lower a project's quota or raise the department's|Lower a quota or add a node/);
  await world.server.call('DELETE', `/api/v1/org-unit/projects/${promised.id}`);
});

test('form_yaml_and_command_line_follow_each_other', async () => {
  await world.admin.open('/workloads/new');
  await world.admin.page.fill('input[name=name]', 'in-sync');
  const yaml = world.admin.page.getByRole('textbox', { name: 'YAML' });
  check((await yaml.inputValue()).includes('name: in-sync'), 'the YAML does not follow the form');
  await yaml.fill('kind: Training\nmetadata:\n  name: from-yaml\n  project: vision\nspec:\n  command: sleep 60\n');
  check((await world.admin.page.inputValue('input[name=name]')) === 'from-yaml', 'the form does not follow the YAML');
  await world.admin.page.getByRole('button', { name: 'Command line' }).click();
  const line = world.admin.page.getByRole('textbox', { name: 'Command line' });
  check((await line.inputValue()).includes('--name from-yaml'), 'the command line does not follow');
  await line.fill('gpuyard submit --name from-line --project robotics --gpu 2 -- python train.py');
  check((await world.admin.page.inputValue('input[name=name]')) === 'from-line', 'the form does not follow the command line');
  check((await world.admin.page.inputValue('input[name=gpu]')) === '2', 'the GPUs do not follow the command line');
});

test('a_refused_submission_says_why_and_keeps_what_was_typed', async () => {
  await world.admin.open('/workloads/new');
  await world.admin.page.fill('input[name=name]', 'made-by-form');
  await world.admin.page.selectOption('select[name=project]', 'vision');
  await world.admin.page.getByLabel('Command', { exact: true }).fill('sleep 1');
  await world.admin.page.getByRole('button', { name: 'Submit training' }).click();
  await world.admin.page.locator('.maker-side [role=alert]').first().waitFor();
  check((await world.admin.page.inputValue('input[name=name]')) === 'made-by-form', 'the name was lost');
});

test('a_custom_role_limits_what_is_seen', async () => {
  const ben = await Person.of('ben@lab.example.org', world.lab.ben.tempPassword);
  await ben.page.waitForSelector('input[name=next]');
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

test('filters_are_in_the_address_and_come_back_from_it', async () => {
  await world.admin.open('/workloads');
  await world.admin.page.getByRole('button', { name: 'Type' }).first().click();
  await world.admin.page.getByLabel('Distributed').click();
  await world.admin.page.waitForURL(/is\.type=Distributed/);
  await world.admin.page.keyboard.press('Escape');
  await world.admin.page.waitForFunction(() => [...document.querySelectorAll('tbody tr')].length > 0 && [...document.querySelectorAll('tbody tr')].every((row) => row.textContent.includes('Distributed')));
  const address = world.admin.page.url();
  await world.admin.page.goto(address);
  await world.admin.page.getByText('Type is Distributed').waitFor();
});

test('search_finds_pages_and_workloads_by_keyboard', async () => {
  await world.admin.open('/my-work');
  await world.admin.page.keyboard.press('Control+k');
  await world.admin.page.keyboard.type('vit-large');
  await world.admin.page.locator('.palette-hit', { hasText: 'vit-large' }).waitFor();
  await world.admin.page.keyboard.press('Enter');
  await world.admin.page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  await world.admin.page.locator('.palette').waitFor({ state: 'detached' });
  await world.admin.page.keyboard.press('Control+k');
  await world.admin.page.locator('.palette input').waitFor();
  await world.admin.page.keyboard.press('ArrowDown');
  await world.admin.page.keyboard.press('ArrowUp');
  await world.admin.page.keyboard.type('audit');
  await world.admin.page.locator('.palette-hit', { hasText: 'Audit log' }).waitFor();
  await world.admin.page.keyboard.press('Enter');
  await world.admin.page.waitForURL(/\/audit/);
});

test('many_are_deleted_at_once_after_a_question', async () => {
  for (const name of ['heap-1', 'heap-2']) {
    await world.server.call('POST', '/api/v1/workloads/trainings', { name, projectId: world.lab.vision.id, clusterId: world.lab.cluster, spec: { command: 'true' } });
  }
  await world.admin.open('/workloads?q=heap-');
  await world.admin.sees('heap-2');
  await world.admin.page.getByLabel('Select all on this page').check();
  await world.admin.page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await world.admin.page.getByText('cannot be undone').waitFor();
  await world.admin.page.locator('dialog button[type=submit]').click();
  await world.admin.sees('No workload matches');
});

test('every_page_is_accessible_and_without_console_errors', async () => {
  const one = world.lab.workloads[0].workloadId;
  const node = (await world.server.call('GET', '/api/v1/nodes')).nodes[0].name;
  const details = [['person', `/users/${encodeURIComponent(ADMIN)}`], ['project', `/projects/${world.lab.vision.id}`], ['pool', '/node-pools/default'], ['node', `/nodes/${node}`], ['environment', `/environments/${world.lab.environment.meta.id}`], ['reservation', `/reservations/${world.lab.kept[0].id}`], ['nth-gpu', '/queue?view=running']];
  const pages = [...PAGES, ...details, ...WORKLOAD_TABS.map((tab) => [`workload-${tab}`, `/workloads/${one}?tab=${tab}`]), ...STUDY_TABS.map((tab) => [`study-${tab}`, `/studies/${world.lab.study.id}?tab=${tab}`]), ['front', `/studies/${world.lab.front.id}`], ['trial', `/studies/${world.lab.study.id}?trial=30`]];
  const found = [];
  await world.admin.open('/my-work');
  await takeAxe(world.admin.page);
  world.admin.problems.length = 0;
  for (const [name, path] of pages) {
    await world.admin.go(path);
    for (const theme of ['light', 'dark']) {
      await world.admin.page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
      await settled(world.admin.page);
      for (const text of await violations(world.admin.page)) found.push(`${name} ${theme}: ${text}`);
    }
    for (const text of world.admin.problems.splice(0)) found.push(`${name}: console: ${text}`);
  }
  check(found.length === 0, `${found.length}: ${found.slice(0, 14).join(' | ')}`);
});

test('no_page_is_wider_than_a_phone', async () => {
  await world.admin.page.setViewportSize({ width: 390, height: 844 });
  const wide = [];
  await world.admin.open('/my-work');
  for (const [name, path] of [...PAGES, ['workload', `/workloads/${world.lab.workloads[0].workloadId}`], ...STUDY_TABS.map((tab) => [`study-${tab}`, `/studies/${world.lab.study.id}?tab=${tab}`])]) {
    await world.admin.go(path);
    const more = await world.admin.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (more > 0) wide.push(`${name} by ${more}px`);
  }
  await world.admin.page.setViewportSize({ width: 1440, height: 900 });
  check(wide.length === 0, wide.join(', '));
});

test('rows_are_cards_on_a_phone_and_nothing_lies_beside_the_screen', async () => {
  const { page } = world.admin;
  await page.setViewportSize({ width: 390, height: 844 });
  const beside = [];
  for (const path of ['/workloads', '/projects', '/access-rules', '/reservations', '/audit', '/queue']) {
    await world.admin.open(path);
    await page.locator('.table tbody tr').first().waitFor();
    const found = await page.locator('.table tbody tr').first().locator('td').evaluateAll((cells) => cells.filter((cell) => cell.getBoundingClientRect().right > innerWidth || cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.dataset.label ?? cell.className));
    if (found.length > 0) beside.push(`${path}: ${found}`);
  }
  await world.admin.open('/workloads');
  await page.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL(/sort=/);
  await page.setViewportSize({ width: 1440, height: 900 });
  check(beside.length === 0, beside.join(' | '));
});

test('no_column_lies_below_the_buttons_of_its_row_on_a_laptop', async () => {
  const { page } = world.admin;
  await page.setViewportSize({ width: 1366, height: 768 });
  const hidden = [];
  for (const path of ['/workloads', '/queue', '/projects', '/reservations', '/users']) {
    await world.admin.open(path);
    await page.locator('.table tbody tr').first().waitFor();
    const more = await page.locator('.table-wrap').first().evaluate((box) => box.scrollWidth - box.clientWidth);
    if (more > 1) hidden.push(`${path} by ${more}px`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  check(hidden.length === 0, hidden.join(', '));
});

test('every_dialog_is_accessible_and_takes_the_focus', async () => {
  const found = [];
  await world.admin.open('/my-work');
  await takeAxe(world.admin.page);
  world.admin.problems.length = 0;
  for (const [path, name, menu] of DIALOGS) {
    await world.admin.go(path);
    await openDialog(world.admin.page, name, menu);
    const focus = await world.admin.page.evaluate(() => (document.querySelector('dialog[open] :is(input, select, textarea):not([type=hidden], [disabled])') ? /^(INPUT|TEXTAREA|SELECT)$/ : /^BUTTON$/).test(document.activeElement?.tagName ?? ''));
    if (!focus) found.push(`${path} ${name}: the focus is nowhere`);
    for (const text of await violations(world.admin.page)) found.push(`${path} ${name}: ${text}`);
    await world.admin.page.keyboard.press('Escape');
    await world.admin.page.locator('dialog[open]').waitFor({ state: 'detached' });
  }
  for (const text of world.admin.problems) found.push(`console: ${text}`);
  check(found.length === 0, `${found.length}: ${found.slice(0, 10).join(' | ')}`);
});
