// Studies, as a member of a project begins them, looks at them and tells them what to do.
import { fillStudy } from './lab.mjs';
import { member } from './runs.mjs';
import { check, Person, siteOf, slow, test, world } from './world.mjs';

async function lena(path) {
  const { email, password } = await member();
  const person = await Person.of(email, password, path, await siteOf(world.work));
  await person.page.waitForSelector('.sidebar');
  return person;
}

/** A study of lena's on the server that runs real work. */
async function study(name, metrics, count) {
  const { token } = await member();
  return fillStudy(world.work, world.project.id, name, metrics, count, token);
}

const trialRows = (page) => page.getByRole('region', { name: 'Trials' }).locator('tbody tr');
const calm = (person) => check(person.problems.length === 0, person.problems.join('; '));

test('a_study_begun_by_the_form_runs_trials_that_lead_to_their_workloads_and_back', async () => {
  const person = await lena('/studies/new');
  const { page } = person;
  await page.fill('input[name=name]', 'by-form');
  await page.waitForFunction(() => [...document.querySelectorAll('select')].some((s) => s.value === 'vision'));
  const first = page.getByRole('group', { name: 'Parameter 1' });
  await first.getByLabel('Name').fill('x');
  await first.getByLabel('From').fill('1');
  await first.getByLabel('To').fill('2');
  await page.fill('textarea[name=command]', `awk -v x=\${x} 'BEGIN { print "{\\"step\\":1,\\"loss\\":" x + 1 "}"; print "{\\"step\\":2,\\"loss\\":" x "}" }'`);
  await page.fill('input[name=gpus]', '0');
  await page.fill('input[name=trials]', '4');
  await page.fill('input[name=concurrency]', '2');
  await page.getByLabel('study.yaml').filter({ hasText: 'trials: 4' }).waitFor();
  await page.getByRole('button', { name: 'Begin the study' }).click();
  await page.waitForURL(/\/studies\/[0-9a-f-]{36}/);
  await page.locator('h1 + .badge', { hasText: 'Completed' }).waitFor({ timeout: 60_000 * slow() });
  await page.getByText(/^Trial \d has the best loss: 1\.\d+\./).waitFor({ timeout: 20_000 * slow() });
  check((await trialRows(page).count()) === 4, 'the table does not have the four trials');
  await trialRows(page).filter({ hasText: 'Complete' }).first().getByRole('button').first().click();
  await page.getByRole('dialog').getByRole('link', { name: 'Its workload' }).click();
  await page.waitForURL(/\/workloads\/[0-9a-f-]{36}/);
  await page.getByRole('link', { name: 'by-form', exact: true }).click();
  await page.waitForURL(/\/studies\/[0-9a-f-]{36}/);
  calm(person);
  await person.leave();
});

test('a_study_is_paused_resumed_extended_given_a_trial_and_ended', async () => {
  const made = await study('orders', ['loss'], 6);
  const person = await lena(`/studies/${made.id}`);
  const { page } = person;
  const state = (word) => page.locator('h1 + .badge', { hasText: word }).waitFor();
  await state('Running');
  await page.getByRole('button', { name: 'Pause' }).click();
  await state('Paused');
  await page.getByRole('button', { name: 'Resume' }).click();
  await state('Running');
  await page.getByRole('button', { name: 'Extend' }).click();
  await page.getByLabel('Configurations in all').fill('250');
  await page.locator('dialog button[type=submit]').click();
  await page.getByText('of 250').first().waitFor();
  await page.getByRole('button', { name: 'Add a trial' }).click();
  await page.getByRole('textbox', { name: 'lr' }).fill('0.002');
  await page.getByRole('textbox', { name: 'layers' }).fill('5');
  await page.getByRole('combobox', { name: 'optimizer' }).selectOption('sgd');
  await page.getByRole('textbox', { name: 'momentum' }).fill('0.5');
  await page.getByRole('checkbox', { name: /run elsewhere/ }).check();
  await page.getByRole('textbox', { name: 'loss' }).fill('0.0125');
  await page.locator('dialog button[type=submit]').click();
  await page.getByText('Trial 8 has the best loss: 0.0125.').waitFor();
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.getByRole('button', { name: 'Change it and add a trial' }).waitFor();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.locator('dialog button[type=submit]').click();
  await state('Stopped');
  const told = await world.work.call('GET', `/api/v1/studies/${made.id}`);
  check(told.state === 'Stopped' && told.budget.maxTrials === 250 && told.best.number === 8, JSON.stringify(told));
  calm(person);
  await person.leave();
});

/** Draws a rectangle over the middle of a plot. */
async function drawOver(page, plot) {
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.15);
  await page.mouse.down();
  for (let i = 1; i <= 5; i++) await page.mouse.move(box.x + box.width * (0.3 + i * 0.08), box.y + box.height * (0.15 + i * 0.13));
  await page.mouse.up();
}

test('a_range_drawn_over_a_plot_selects_trials_in_all_plots_the_table_and_the_address', async () => {
  const made = await study('brushed', ['loss'], 25);
  const person = await lena(`/studies/${made.id}`);
  const { page } = person;
  await page.getByRole('img', { name: /^History of loss/ }).waitFor();
  await drawOver(page, page.locator('.plot').first());
  const status = page.locator('.brush-bar [role=status]');
  await status.waitFor();
  const [, selected] = /^(\d+) of 27 trials selected/.exec(await status.innerText()) ?? [];
  check(Number(selected) > 0 && Number(selected) < 27, `the bar says ${await status.innerText()}`);
  await page.getByRole('heading', { name: `Selected trials (${selected})` }).waitFor();
  check(/brush=/.test(page.url()), 'the selection is not in the address');
  await page.reload();
  await page.getByRole('heading', { name: `Selected trials (${selected})` }).waitFor();
  await page.getByRole('tab', { name: 'Parameters' }).click();
  await page.getByRole('heading', { name: 'Parallel coordinates' }).waitFor();
  await page.getByRole('heading', { name: `Selected trials (${selected})` }).waitFor();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('heading', { name: 'Trials (27)' }).waitFor();
  // The same without a pointer.
  await page.getByRole('button', { name: 'Select trials' }).click();
  await page.getByLabel('Column', { exact: true }).selectOption({ label: 'optimizer' });
  await page.getByLabel('Is', { exact: true }).selectOption({ label: 'sgd' });
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByText('optimizer is sgd').waitFor();
  calm(person);
  await person.leave();
});

test('every_plot_of_a_study_says_what_follows_from_it', async () => {
  const made = await study('sentences', ['loss'], 30);
  const person = await lena(`/studies/${made.id}`);
  const { page } = person;
  const plots = { '': ['History', 'Importance'], parameters: ['Parallel coordinates', 'lr', 'layers', 'optimizer', 'momentum', 'Contour', 'Rank'], progress: ['Distribution of results', 'Timeline', 'Intermediate values', 'Rungs'] };
  for (const [tab, names] of Object.entries(plots)) {
    await person.open(`/studies/${made.id}${tab ? `?tab=${tab}` : ''}`);
    for (const name of names) {
      const card = page.locator('.card', { has: page.getByRole('heading', { name, exact: true }) });
      await card.locator('.says').waitFor();
      const says = await card.locator('.says').innerText();
      check(/[A-Za-z].*\.$/s.test(says.trim()) && !/NaN|undefined/.test(says), `${name} says “${says}”`);
    }
  }
  calm(person);
  await person.leave();
});

test('a_study_of_two_objectives_shows_what_no_other_beats', async () => {
  const made = await study('two-aims', ['loss', 'size'], 20);
  const best = await world.work.call('GET', `/api/v1/studies/${made.id}/best`);
  const person = await lena(`/studies/${made.id}`);
  await person.page.getByText(`beaten by no other (${best.trials.length})`).waitFor();
  await person.page.getByRole('img', { name: /^Hypervolume by trial/ }).waitFor();
  calm(person);
  await person.leave();
});

/** Columns of so many trials, as the server would send them. */
function columns(count) {
  const each = (make) => Array.from({ length: count }, (_, i) => make(i));
  const lr = each((i) => 10 ** (-5 + ((i * 7919) % 4000) / 1000));
  return {
    from: 0,
    states: 'C'.repeat(count),
    values: [each((i) => Math.abs(Math.log10(lr[i]) + 3) + ((i * 31) % 100) / 200)],
    parameters: [{ name: 'lr', values: lr }, { name: 'layers', values: each((i) => 1 + (i % 8)) }, { name: 'optimizer', values: each((i) => i % 3) }, { name: 'momentum', values: each((i) => (i % 3 === 1 ? (i % 10) / 10 : null)) }],
    repeatOf: each(() => null), continues: each(() => null), resumesFrom: each(() => null), steps: each(() => null), lasts: each(() => null), gpuHours: each(() => 0.1),
    started: each((i) => 1.7e12 + i * 1000), ended: each((i) => 1.7e12 + i * 1000 + 8000),
  };
}

test('fifty_thousand_trials_are_drawn_and_selected_without_waiting', async () => {
  const made = await study('huge', ['loss'], 3);
  const person = await lena('/studies');
  const { page } = person;
  const body = JSON.stringify(columns(50_000));
  await page.route('**/api/v1/studies/*/columns*', (route) => route.fulfill({ status: 200, contentType: 'application/json', body: /from=0/.test(route.request().url()) ? body : JSON.stringify({ ...columns(0), from: 50_000 }) }));
  await person.open(`/studies/${made.id}?tab=parameters`);
  await page.getByRole('heading', { name: 'Trials (50,000)' }).waitFor({ timeout: 40_000 * slow() });
  await page.getByText(/lines are drawn, evenly chosen/).waitFor({ timeout: 40_000 * slow() });
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('img', { name: /^History of loss/ }).waitFor();
  const began = Date.now();
  await drawOver(page, page.locator('.plot').first());
  await page.getByRole('heading', { name: /^Selected trials \(\d+,\d+\)/ }).waitFor({ timeout: 40_000 * slow() });
  const took = Date.now() - began;
  check(took < 10_000 * slow(), `selecting took ${took} ms`);
  await person.leave();
});

test('studies_are_found_in_the_list_and_in_the_palette', async () => {
  const made = await study('easy-to-find', ['loss'], 2);
  const person = await lena('/studies');
  const { page } = person;
  await page.getByRole('link', { name: 'easy-to-find' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('easy-to');
  await page.getByRole('option').filter({ hasText: 'Study' }).filter({ hasText: 'easy-to-find' }).first().click();
  await page.waitForURL(new RegExp(made.id));
  await page.locator('.palette').waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.waitForURL(/\/studies$/);
  calm(person);
  await person.leave();
});
