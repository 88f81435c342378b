// Every page as five people: nothing is refused, nothing stays empty, and each number is the one that
// the administrator's API gives for what the person may see.
import { check, test, world } from './world.mjs';
import { api, enter, ROLES, scene, snake } from './scene.mjs';

const list = (values) => values.join(',');
const sum = (values) => values.reduce((all, one) => all + one, 0);

/** What a role may see, as the administrator knows it. */
async function viewOf(role) {
  const { people } = await scene();
  const { projects } = await api('GET', '/api/v1/org-unit/projects?limit=500');
  const mine = {
    administrator: projects,
    departmentAdministrator: projects.filter((p) => p.parentId === world.project.parentId),
    researcher: projects.filter((p) => p.id === world.project.id),
    viewer: projects.filter((p) => p.id === world.project.id),
    newcomer: [],
  }[role];
  const names = mine.map((p) => p.name);
  const { workloads } = await api('GET', '/api/v1/workloads?limit=500');
  const { running } = await api('GET', '/api/v1/queue/running');
  const { queue } = await api('GET', '/api/v1/queue');
  return {
    email: people[role].email,
    projects: mine,
    workloads: workloads.filter((w) => names.includes(w.projectName)),
    running: running.filter((l) => names.includes(l.projectName)),
    queue: queue.filter((l) => names.includes(l.projectName)),
  };
}

const numberOf = (text) => Number((/-?[\d,.]+/.exec(text) ?? ['NaN'])[0].replace(/,/g, ''));
const tile = (page, label) => page.locator('.tile', { hasText: label }).locator('.tile-value').first();

/** The numbers of each page: where it stands, and what it has to be. */
const NUMBERS = {
  '/my-work': [
    ['Running', (p) => tile(p, 'Running'), (v) => v.workloads.filter((w) => w.submittedBy === v.email && w.phase === 'Running').length, (v) => v.workloads.some((w) => w.submittedBy === v.email)],
    ['Waiting', (p) => tile(p, 'Waiting'), (v) => v.workloads.filter((w) => w.submittedBy === v.email && ['Pending', 'Creating', 'Resuming'].includes(w.phase)).length, (v) => v.workloads.some((w) => w.submittedBy === v.email)],
  ],
  '/workloads': [['all', (p) => p.locator('.pager [role=status]'), (v) => v.workloads.length, (v) => v.workloads.length > 0, (text) => numberOf(text.split(' of ')[1] ?? '')]],
  '/workloads?is.phase=Failed': [['failed', (p) => p.locator('.pager [role=status]'), (v) => v.workloads.filter((w) => w.phase === 'Failed').length, (v) => v.workloads.some((w) => w.phase === 'Failed'), (text) => numberOf(text.split(' of ')[1] ?? '')]],
  '/overview': [
    ['running work', (p) => tile(p, 'Running work'), (v) => v.workloads.filter((w) => w.phase === 'Running').length],
    ['waiting work', (p) => tile(p, 'Waiting work'), (v) => v.workloads.filter((w) => ['Pending', 'Creating', 'Resuming'].includes(w.phase)).length],
    ['failed work', (p) => tile(p, 'Failed work'), (v) => v.workloads.filter((w) => w.phase === 'Failed').length],
  ],
  '/queue?view=running': [['GPUs in use', (p) => p.locator('.card-title').first(), (v) => sum(v.running.map((l) => l.held)), (v) => v.running.some((l) => l.held > 0)]],
  '/projects': [['projects', (p) => p.locator('.table tbody'), (v) => v.projects.length, () => true, null, (p) => p.locator('.table tbody tr').count()]],
};

async function compare(person, role, path, view, found) {
  for (const [name, where, expected, holds, read, amount] of NUMBERS[path] ?? []) {
    if (holds && !holds(view)) continue;
    const place = where(person.page);
    await place.first().waitFor({ timeout: 15_000 });
    const shown = amount ? await amount(person.page) : (read ?? numberOf)(await place.first().innerText());
    const wanted = expected(view);
    if (shown !== wanted) found.push(`${path}: ${name} is ${shown}, the API says ${wanted}`);
  }
}

/** Pages beside those of the menu. */
async function detailPages(role, view) {
  const own = view.workloads.find((w) => w.name === 'own-run');
  const paths = ['/account', `/users/${encodeURIComponent('rita@lab.example')}`];
  if (own) paths.push(`/workloads/${own.id}`, ...['logs', 'history', 'attempts', 'metrics', 'connections', 'details'].map((tab) => `/workloads/${own.id}?tab=${tab}`));
  if (view.projects[0]) paths.push(`/projects/${view.projects[0].id}`, '/node-pools/default', '/workloads/new');
  const { studies } = await api('GET', '/api/v1/studies');
  for (const study of studies.filter((s) => view.projects.some((p) => p.id === s.projectId)).slice(0, 1)) paths.push(`/studies/${study.id}`, `/studies/${study.id}?tab=parameters`, `/studies/${study.id}?tab=progress`);
  if (role === 'administrator') paths.push(`/nodes/${(await api('GET', '/api/v1/nodes')).nodes[0].name}`);
  return paths;
}

for (const role of ROLES) {
  test(`every_page_of_the_${snake(role)}_is_true_and_meets_no_refusal`, async () => {
    const { people } = await scene();
    const person = await enter(people[role]);
    const found = [];
    person.page.on('response', (r) => r.status() >= 400 && found.push(`${new URL(person.page.url()).pathname}: ${r.status()} ${new URL(r.url()).pathname}`));
    const menu = await person.page.locator('.nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const more = Object.keys(NUMBERS).filter((path) => path.includes('?') && menu.includes(path.split('?')[0]));
    const view = await viewOf(role);
    const paths = [...menu, ...more, ...(role === 'newcomer' ? ['/account'] : await detailPages(role, view))];
    check(paths.length >= (role === 'newcomer' ? 3 : 12), `only ${list(paths)}`);
    for (const path of paths) {
      await person.go(path).catch((error) => found.push(`${path}: ${String(error).split('\n')[0]}`));
      const text = await person.page.locator('main').innerText();
      const odd = /\b(NaN|undefined|\[object Object\])\b/.exec(text);
      if (odd) found.push(`${path}: says ${odd[0]}`);
      if (/You may not see/.test(text)) found.push(`${path}: says what may not be seen`);
      if (role !== 'administrator' && role !== 'newcomer' && /secret-run/.test(text)) found.push(`${path}: names hidden work`);
      await compare(person, role, path, view, found);
    }
    for (const text of person.problems) found.push(`console: ${text}`);
    await person.leave();
    check(found.length === 0, `${found.length}: ${[...new Set(found)].slice(0, 12).join(' | ')}`);
  });
}

test('the_documentation_is_open_to_everybody_and_can_be_searched', async () => {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (m) => m.type() === 'error' && problems.push(m.text()));
  await page.goto(`${world.base}/docs`);
  await page.getByRole('heading', { name: 'The first hour' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('squeue');
  await page.getByRole('option').filter({ hasText: 'Slurm' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/from-slurm/);
  await page.getByRole('heading', { name: 'Coming from Slurm' }).waitFor();
  await page.goto(`${world.base}/docs/configuration#the-first-administrator`);
  await page.waitForFunction(() => (document.getElementById('the-first-administrator')?.getBoundingClientRect().top ?? 999) < 200);
  check(problems.length === 0, problems.join(' '));
  await context.close();
});

test('help_leads_from_a_page_to_its_chapter', async () => {
  await world.admin.open('/queue');
  const [help] = await Promise.all([world.admin.context.waitForEvent('page'), world.admin.page.keyboard.press('?')]);
  await help.waitForURL(/\/docs\/user-guide#the-queue/);
  await help.getByRole('heading', { name: 'The queue' }).waitFor();
  await help.close();
});

test('rows_are_walked_with_j_and_k_and_opened_with_enter', async () => {
  await world.admin.open('/projects');
  await world.admin.page.locator('.table tbody tr').nth(1).waitFor();
  await world.admin.page.keyboard.press('j');
  await world.admin.page.keyboard.press('j');
  await world.admin.page.keyboard.press('k');
  const first = await world.admin.page.locator('.table tbody tr').first().locator('a').first().innerText();
  await world.admin.page.keyboard.press('Enter');
  await world.admin.page.waitForURL(/\/projects\/\d+/);
  await world.admin.page.getByRole('heading', { name: first, exact: true }).waitFor();
});
