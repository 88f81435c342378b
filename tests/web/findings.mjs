// Single findings of the review of the dashboard that no other test holds closed; README.md has the table.
import { until } from './lib.mjs';
import { check, test, world } from './world.mjs';
import { api, enter, scene, submit } from './scene.mjs';

/** A researcher of the scene on a page. */
async function rita(path) {
  const { people } = await scene();
  const person = await enter(people.researcher);
  await person.open(path);
  return person;
}

test('the_choice_of_a_project_is_offered_only_where_it_changes_something', async () => {
  const { people } = await scene();
  const person = await enter(people.administrator);
  const switcher = person.page.getByRole('button', { name: /All projects/ });
  for (const path of ['/my-work', '/workloads', '/runs', '/studies', '/queue']) {
    await person.open(path);
    await switcher.waitFor();
  }
  for (const path of ['/overview', '/nodes', '/timeline']) {
    await person.open(path);
    check((await switcher.count()) === 0, `${path} offers a choice that it does not follow`);
  }
  await person.leave();
});

test('gpu_hours_and_progress_can_be_chosen_as_columns_and_unknown_is_no_zero', async () => {
  const person = await rita('/workloads?q=own-run');
  const { page } = person;
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'GPU-hours' }).check();
  await page.getByRole('checkbox', { name: 'Progress' }).check();
  await page.keyboard.press('Escape');
  const row = page.getByRole('region', { name: 'Workloads' }).locator('tbody tr', { hasText: 'own-run' }).first();
  const headers = await page.locator('thead th').allInnerTexts();
  const cell = (name) => row.locator('td').nth(headers.findIndex((h) => h.trim() === name));
  await page.waitForFunction(() => document.querySelectorAll('.skeleton').length === 0);
  await cell('GPU-hours').getByText(/^\d/).waitFor();
  check((await cell('Progress').innerText()).trim() === '–', 'work that logged nothing has a progress');
  await person.leave();
});

test('the_queue_names_the_pool_of_each_share', async () => {
  const { admin, server } = world;
  const { queue } = await server.call('GET', '/api/v1/queue');
  const line = queue.find((one) => one.terms?.project && one.terms.pool);
  check(line, 'nothing waits with a share');
  await admin.open('/queue');
  const row = admin.page.getByRole('region', { name: 'Queue' }).locator('tbody tr', { has: admin.page.getByRole('link', { name: line.name, exact: true }) }).first();
  await row.locator('.share').getByText(`in ${line.terms.pool}`, { exact: true }).waitFor();
  check((await row.locator('.share').getAttribute('title')).startsWith(`In the pool ${line.terms.pool}: holds `), 'the share does not say where');
});

test('a_submission_names_the_node_on_which_it_starts', async () => {
  const person = await rita('/workloads/new');
  const { page } = person;
  await page.fill('input[name=name]', 'starts-where');
  await page.selectOption('select[name=project]', 'vision');
  await page.getByLabel('Command', { exact: true }).fill('true');
  const [node] = (await api('GET', '/api/v1/nodes')).nodes;
  await page.getByText(`Starts immediately on ${node.name}.`).waitFor();
  await person.leave();
});

test('a_half_filled_form_is_not_left_without_a_question', async () => {
  const person = await rita('/workloads/new');
  const { page } = person;
  await page.fill('input[name=name]', 'half-done');
  await page.getByLabel('Command', { exact: true }).fill('true');
  await page.locator('.nav').getByRole('link', { name: 'Queue' }).click();
  await page.locator('dialog[open]').waitFor();
  await page.locator('dialog[open]').getByRole('button', { name: 'Cancel' }).click();
  check((await page.inputValue('input[name=name]')) === 'half-done', 'what was typed is lost');
  await page.locator('.nav').getByRole('link', { name: 'Queue' }).click();
  await page.locator('dialog[open]').getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(/\/queue/);
  await person.leave();
});

test('a_half_filled_study_is_not_left_without_a_question', async () => {
  const person = await rita('/studies/new');
  const { page } = person;
  await page.fill('input[name=name]', 'half-tuned');
  await page.fill('textarea[name=command]', 'train --lr ${lr}');
  await page.locator('.nav').getByRole('link', { name: 'Queue' }).click();
  await page.locator('dialog[open]').getByRole('button', { name: 'Cancel' }).click();
  check((await page.inputValue('input[name=name]')) === 'half-tuned', 'what was typed is lost');
  await person.leave();
});

test('metrics_say_that_declared_gpus_are_not_measured', async () => {
  const { own } = await scene();
  const person = await rita(`/workloads/${own.workloadId}?tab=metrics`);
  await person.page.getByText(/is not measured|Nothing was measured/).first().waitFor();
  await person.leave();
});

test('a_workload_that_is_not_there_is_said_in_plain_words', async () => {
  const person = await rita('/workloads/0196a000-0000-7000-8000-000000000000');
  await person.sees('There is no such workload');
  check((await person.page.getByRole('button', { name: 'Try again' }).count()) === 0, 'trying again is offered');
  await person.leave();
});

test('a_scope_is_named_with_its_kind', async () => {
  const { people } = await scene();
  const person = await enter(people.administrator);
  await person.open('/environments');
  await person.page.getByRole('button', { name: 'New environment' }).first().click();
  const scope = person.page.locator('dialog select[name=scope]');
  await scope.selectOption({ label: 'Project vision' });
  check(/Project vision/.test(await scope.locator('option:checked').innerText()), 'the scope has no kind');
  await person.leave();
});

test('the_audit_log_shows_acts_of_people_first_and_filters_by_kind', async () => {
  const { people } = await scene();
  const person = await enter(people.administrator);
  await person.open('/audit');
  const { page } = person;
  check((await page.getByRole('button', { name: 'People', exact: true }).getAttribute('aria-pressed')) === 'true', 'acts of the scheduler are shown first');
  await page.getByLabel('Kind of thing').selectOption('project');
  await page.waitForURL(/kind=project/);
  await page.getByRole('region', { name: 'Audit log' }).getByText(/^project /).first().waitFor();
  check((await page.getByRole('region', { name: 'Audit log' }).getByText('Scheduler').count()) === 0, 'the scheduler is among the people');
  await person.leave();
});

test('the_message_of_the_day_reaches_those_who_may_not_read_settings', async () => {
  await api('PUT', '/v1/k8s/setting', { key: 'message-of-the-day', value: 'Power cut on Friday' });
  const person = await rita('/my-work');
  await person.sees('Power cut on Friday');
  await api('PUT', '/v1/k8s/setting', { key: 'message-of-the-day', value: '' });
  await person.leave();
});

/** What a question before a deletion says, and what comes of saying yes to it. */
async function deletion(page, name) {
  await page.getByRole('button', { name: `Actions of ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const dialog = page.locator('dialog[open]');
  const words = await dialog.innerText();
  await dialog.locator('button[type=submit]').click();
  const refused = dialog.locator('.notice.bad');
  await Promise.race([refused.waitFor(), dialog.waitFor({ state: 'detached' })]);
  const done = (await dialog.count()) === 0;
  if (!done) await dialog.getByRole('button', { name: 'Cancel' }).click();
  return { words, done };
}

test('questions_before_deletions_promise_what_the_server_does', async () => {
  const { people } = await scene();
  const person = await enter(people.administrator);
  const { page } = person;
  const [{ uuid: clusterId }] = await api('GET', '/api/v1/clusters');
  const resources = [{ nodePool: { id: '1', name: 'default' }, gpu: { deserved: 0 } }];
  const department = await api('POST', '/api/v1/org-unit/departments', { name: 'short-lived', clusterId, resources });
  const project = await api('POST', '/api/v1/org-unit/projects', { name: 'passing', clusterId, parentId: department.id, resources });
  const role = await api('POST', '/api/v1/authorization/roles', { name: 'looks-only', permissions: [{ resourceType: 'project', actions: ['read'] }] });
  const rule = await api('POST', '/api/v1/authorization/access-rules', { subjectId: people.newcomer.email, subjectType: 'user', roleId: role.id, scopeType: 'project', scopeId: project.id });
  const asset = await api('POST', '/api/v1/asset/environment', { meta: { name: 'goes-with-it', scope: 'project', projectId: Number(project.id) }, spec: { command: 'true' } });

  await person.open('/projects');
  const full = await deletion(page, 'vision');
  check(/Only a project without workloads/.test(full.words) && !full.done, `a project with work: ${JSON.stringify(full)}`);
  await person.open('/departments');
  const parent = await deletion(page, 'short-lived');
  check(/Only a department without projects/.test(parent.words) && !parent.done, `a department with a project: ${JSON.stringify(parent)}`);
  await person.open('/roles');
  const given = await deletion(page, 'looks-only');
  check(/Only a role that no access rule gives/.test(given.words) && !given.done, `a role that is given: ${JSON.stringify(given)}`);
  await person.open('/projects');
  const empty = await deletion(page, 'passing');
  check(/assets and access rules are deleted with it/.test(empty.words) && empty.done, `a project without work: ${JSON.stringify(empty)}`);
  const rules = (await api('GET', '/api/v1/authorization/access-rules?limit=500')).accessRules;
  check(!rules.some((r) => r.id === rule.id), 'its access rule is still there');
  const assets = (await api('GET', '/api/v1/asset/environment')).entries;
  check(!assets.some((a) => a.meta.id === asset.meta.id), 'its environment is still there');
  await person.open('/roles');
  check((await deletion(page, 'looks-only')).done, 'a role that nobody has is not deleted');
  await person.open('/departments');
  check((await deletion(page, 'short-lived')).done, 'an empty department is not deleted');
  await person.leave();
});

test('ended_work_is_in_the_order_of_its_ends_and_the_bell_lists_it', async () => {
  const { people } = await scene();
  for (const name of ['bell-one', 'bell-two']) {
    const made = await submit(name, world.project, { command: 'true' }, people.researcher.token);
    await until(async () => (await api('GET', `/api/v1/workloads/${made.workloadId}`)).phase === 'Completed', name);
  }
  const person = await rita('/my-work');
  const { page } = person;
  const ended = page.getByRole('region', { name: 'Recently ended' });
  await ended.getByText('bell-two').waitFor();
  const times = await ended.locator('tbody time').evaluateAll((all) => all.map((one) => Date.parse(one.dateTime)));
  check(times.length > 1 && times.every((at, i) => i === 0 || at <= times[i - 1]), `not in their order: ${times}`);
  await page.getByRole('button', { name: /^Inbox, \d/ }).click();
  const inbox = page.locator('.inbox-item');
  check(/bell-two/.test(await inbox.first().innerText()) && /Completed/.test(await inbox.first().innerText()), 'the bell does not begin with what ended last');
  check(/bell-one/.test(await inbox.nth(1).innerText()), 'what ended before it is not next');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Inbox', exact: true }).waitFor();
  await person.leave();
});
