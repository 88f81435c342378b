// Pages and dialogs of single things with something on them: runs, comparisons, reports, work that runs and work that ended.
import { takeAxe, settled, violations } from './axe.mjs';
import { until } from './lib.mjs';
import { enter, api, scene, submit } from './scene.mjs';
import { fillRuns, trackedPages } from './tracked.mjs';
import { check, test, world } from './world.mjs';

const tracked = async () => (world.tracked ??= await fillRuns(world.work, world.project));

/** What axe, the console and the width of a phone say of pages. */
async function faultsOf(person, pages) {
  const { page } = person;
  const found = [];
  await takeAxe(page);
  person.problems.length = 0;
  for (const [name, path] of pages) {
    await person.go(path);
    for (const theme of ['light', 'dark']) {
      await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
      await settled(page);
      for (const text of await violations(page)) found.push(`${name} ${theme}: ${text}`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await settled(page);
    const more = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const beside = await page.evaluate(() => [...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.table-wrap, .tabs, .gantt')).map((e) => `${e.tagName}.${e.className} ${e.textContent.slice(0, 30)}`)[0]);
    if (more > 0) found.push(`${name}: ${more}px wider than a phone: ${beside}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const text of person.problems.splice(0)) found.push(`${name}: console: ${text}`);
  }
  return found;
}

const say = (found) => check(found.length === 0, `${found.length}: ${found.slice(0, 14).join(' | ')}`);

test('pages_of_runs_comparisons_and_reports_are_accessible_and_fit_a_phone', async () => {
  const { people } = await scene();
  const made = await tracked();
  const person = await enter(people.researcher);
  say(await faultsOf(person, [...trackedPages(made), ['new-report', '/reports/new']]));
  await person.leave();
});

/** Opens a dialog, asks axe, closes it. */
async function askDialog(person, name, open, found) {
  const { page } = person;
  await open(page);
  await page.locator('dialog[open]').waitFor();
  await settled(page);
  for (const text of await violations(page)) found.push(`${name}: ${text}`);
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
}

const button = (name) => (page) => page.getByRole('button', { name, exact: true }).first().click();
const entry = (menu, name) => async (page) => {
  await button(menu)(page);
  await page.getByRole('menuitem', { name }).click();
};

test('dialogs_of_work_runs_and_reports_are_accessible', async () => {
  const { people, own } = await scene();
  const { ids, report } = await tracked();
  const person = await enter(people.researcher);
  const { page } = person;
  await takeAxe(page);
  const found = [];
  const ask = (name, open) => askDialog(person, name, open, found);
  await person.go(`/workloads/${own.workloadId}`);
  await ask('stop', button('Stop'));
  await ask('more time', entry('More actions', 'Give more time…'));
  await ask('delete work', entry('More actions', 'Delete…'));
  await person.go(`/runs/${ids[0]}`);
  await ask('delete run', button('Delete'));
  await person.go(`/reports/${report}`);
  await ask('delete report', button('Delete'));
  await person.go('/runs');
  await page.getByRole('checkbox', { name: 'Select this row' }).first().check();
  await ask('tags', button('Tags'));
  await button('Views')(page);
  await ask('save view', button('Save this view'));
  say(found);
  await person.leave();
});

test('what_deleted_work_has_left_stays_at_its_address_as_the_question_says', async () => {
  const { people } = await scene();
  const made = await submit('goes-off-the-list', world.project, { command: 'sh', args: '-c "echo said; echo left > $GPUYARD_OUTPUT/left.txt"' }, people.researcher.token);
  const path = `/api/v1/workloads/${made.workloadId}`;
  await until(async () => (await api('GET', path)).phase === 'Completed', 'the work to end');
  const person = await enter(people.researcher);
  const { page } = person;
  await person.open(`/workloads/${made.workloadId}`);
  await entry('More actions', 'Delete…')(page);
  const words = await page.locator('dialog[open]').innerText();
  check(/log and its output folder stay at the address of this page for 30 days/.test(words), `the question says something else: ${words}`);
  await page.locator('dialog[open] button[type=submit]').click();
  await page.waitForURL(/\/workloads$/);
  check(!(await api('GET', '/api/v1/workloads?limit=500')).workloads.some((w) => w.id === made.workloadId), 'it is still listed');
  await person.open(`/workloads/${made.workloadId}?tab=logs`);
  await page.locator('.log-line', { hasText: 'said' }).waitFor();
  await person.open(`/workloads/${made.workloadId}?tab=files`);
  await page.getByRole('button', { name: 'left.txt', exact: true }).waitFor();
  await person.leave();
});

test('a_shell_opens_in_each_rank_of_distributed_work', async () => {
  const { people } = await scene();
  const made = await api('POST', '/api/v1/workloads/distributed', { name: 'two-ranks', projectId: world.project.id, clusterId: world.project.clusterId, spec: { command: 'sleep 600', numWorkers: 2, distributedFramework: 'PyTorch' } }, people.researcher.token);
  await until(async () => (await api('GET', `/api/v1/workloads/${made.workloadId}`)).phase === 'Running', 'both ranks');
  const person = await enter(people.researcher);
  const { page } = person;
  await person.open(`/workloads/${made.workloadId}?tab=terminal`);
  const ask = async (rank) => {
    await page.getByRole('button', { name: 'Full screen' }).waitFor();
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('echo this-is-rank-$RANK.\n');
    await page.locator('.xterm-rows').getByText(`this-is-rank-${rank}.`).waitFor();
  };
  await ask(0);
  await page.getByLabel('Rank').selectOption('1');
  await ask(1);
  await api('DELETE', `/api/v1/workloads/distributed/${made.workloadId}`);
  await person.leave();
});

test('runs_and_reports_are_found_in_the_palette', async () => {
  const { people } = await scene();
  const { ids, report } = await tracked();
  const person = await enter(people.researcher);
  const { page } = person;
  for (const [typed, words, path] of [['digits-3', 'digits-3', `/runs/${ids[3]}`], ['Learning rates', 'Learning rates on digits', `/reports/${report}`]]) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(typed);
    await page.locator('.palette-hit', { hasText: words }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === path);
  }
  await person.leave();
});

test('a_viewer_is_offered_nothing_that_makes_work', async () => {
  const { people, own } = await scene();
  const person = await enter(people.viewer);
  const { page } = person;
  check((await page.getByRole('link', { name: 'New workload' }).count()) === 0, 'the bar offers it');
  await page.keyboard.press('n');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('work');
  await page.locator('.palette-hit', { hasText: 'Workloads' }).first().waitFor();
  check((await page.locator('.palette-hit', { hasText: /^New / }).count()) === 0, 'the palette offers it');
  check(!page.url().includes('/workloads/new'), 'a key leads to the form');
  await page.keyboard.press('Escape');
  await person.go(`/projects/${world.project.id}`);
  check((await page.getByText('New workload here').count()) === 0, 'the page of the project offers it');
  await person.go('/workloads/new');
  await person.sees('Your roles do not let you submit work');
  await person.go('/studies/new');
  await person.sees('Your roles do not let you begin a study');
  await person.go('/reports/new');
  await person.sees('Your roles do not let you write a report');
  await person.go('/departments');
  await person.sees('No departments in your view');
  await person.go(`/workloads/${own.workloadId}?tab=connections`);
  await person.sees('Follow the log');
  check((await page.getByText('Enter with ssh').count()) === 0, 'a way in is offered');
  await person.leave();
});
