// Single findings of the review of the dashboard that no other test holds closed; README.md has the table.
import { check, test } from './world.mjs';
import { api, enter, scene } from './scene.mjs';

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
