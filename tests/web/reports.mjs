// Reports and comparisons, as members of a project write and read them.
import { readFileSync } from 'node:fs';
import { ROOT } from './lib.mjs';
import { member } from './runs.mjs';
import { check, Person, siteOf, test, world } from './world.mjs';

async function account(email, role, scope) {
  const password = `${email}-keeps-a-long-one`;
  const made = await world.work.call('POST', '/api/v1/users', { email });
  const found = (await world.work.call('GET', '/api/v1/authorization/roles')).find((r) => r.name === role).id;
  await world.work.call('POST', '/api/v1/authorization/access-rules', { subjectId: email, subjectType: 'user', roleId: found, ...scope });
  const first = await world.work.signIn(email, made.tempPassword);
  await world.work.call('POST', '/api/v1/me/password', { currentPassword: made.tempPassword, newPassword: password }, first);
  return { email, password, token: await world.work.signIn(email, password) };
}

const as = async ({ email, password }, path) => Person.of(email, password, path, await siteOf(world.work));
const write = async (title, text) => world.work.call('POST', '/api/v1/reports', { projectId: Number(world.project.id), title, text }, (await member()).token);

/** A run that still goes on. */
async function liveRun(id, name, value) {
  const { token } = await member();
  const at = Date.now() / 1000;
  await world.work.call('POST', `/api/v1/runs/${id}/batch`, { offset: 0, records: [{ kind: 'start', time: at, name }, { kind: 'config', time: at, values: { kind: 'live-test' } }, { kind: 'metrics', time: at, step: 1, values: { score: value } }, { kind: 'metrics', time: at + 1, step: 2, values: { score: value + 1 } }] }, token);
}

test('a_report_is_written_with_a_chart_that_goes_on_with_the_runs', async () => {
  await liveRun('c1'.repeat(16), 'first-live', 1);
  const lena = await as(await member(), '/reports');
  const { page } = lena;
  await page.getByRole('link', { name: 'New report' }).click();
  await page.getByLabel('Title').fill('Scores of the week');
  const text = page.getByLabel('Markdown');
  await text.fill('# What we saw\n\n**Bold** words.\n\n');
  await page.getByRole('button', { name: 'Add a chart' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Metric').selectOption('score');
  await dialog.getByLabel('Filter').fill('params.kind==live-test');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('region', { name: 'Preview' }).getByRole('img', { name: 'score of 1 run' }).locator('canvas').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Scores of the week', level: 1 }).waitFor();
  await page.getByRole('heading', { name: 'What we saw', level: 2 }).waitFor();
  await page.getByRole('img', { name: 'score of 1 run' }).locator('canvas').waitFor();
  // A second run begins: the chart that is open shows it.
  await liveRun('c2'.repeat(16), 'second-live', 5);
  await page.getByRole('img', { name: 'score of 2 runs' }).locator('canvas').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Title').fill('Scores of the month');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Scores of the month', level: 1 }).waitFor();
  await lena.open('/reports');
  await page.getByRole('link', { name: 'Scores of the month' }).waitFor();
  check(lena.problems.length === 0, lena.problems.join('; '));
  await lena.leave();
});

test('a_viewer_reads_a_report_and_a_member_of_another_project_does_not', async () => {
  const made = await write('For members only', 'The finding.\n');
  const vera = await as(await account('vera.reports@lab.example.org', 'Viewer', { scopeId: String(world.project.id), scopeType: 'project' }), `/reports/${made.id}`);
  await vera.sees('The finding.');
  check((await vera.page.getByRole('button', { name: /^(Edit|Delete)$/ }).count()) === 0, 'a viewer is offered to change it');
  await vera.leave();
  const { parentId, clusterId, resources } = await world.work.call('GET', `/api/v1/org-unit/projects/${world.project.id}`);
  const other = await world.work.call('POST', '/api/v1/org-unit/projects', { name: 'speech', clusterId, parentId, resources });
  const sam = await account('sam.reports@lab.example.org', 'L1 researcher', { scopeId: String(other.id), scopeType: 'project' });
  const person = await as(sam, `/reports/${made.id}`);
  await person.sees('You may not see this report');
  check(!(await person.page.textContent('main')).includes('The finding'), 'the text is shown to a stranger');
  await person.open('/reports');
  await person.sees('No report yet');
  await person.leave();
});

const ATTACKS = `
<script>window.hit = 1</script>

<img src=x onerror="window.hit = 2"> <svg onload="window.hit = 3"></svg>

[javascript](javascript:window.hit=4) [data](data:text/html,<script>window.hit=5</script>) [tab](java&#9;script:window.hit=6)

![pixel](https://evil.example.invalid/pixel.png) <iframe srcdoc="<script>parent.hit = 7</script>"></iframe>

\`\`\`chart"><script>window.hit = 8</script>
metric: <img src=x onerror="window.hit = 9">
\`\`\`

\`\`\`chart
title: <img src=x onerror="window.hit = 10">
metric: loss
runs: <script>window.hit = 11</script>
\`\`\`

| a |
|---|
| <a href="javascript:window.hit = 12" onmouseover="window.hit = 13">x</a> |
`;

test('the_text_of_a_report_runs_no_script_and_asks_no_other_server', async () => {
  const made = await write('<img src=x onerror="window.hit = 14">', ATTACKS);
  const lena = await as(await member(), `/reports/${made.id}`);
  const { page } = lena;
  await page.locator('.markdown').getByText('pixel').waitFor();
  await page.locator('.report-chart').getByText(/there is none of this name/).waitFor();
  for (const link of await page.locator('.markdown a').all()) {
    const href = await link.getAttribute('href');
    check(/^(https?:\/\/|mailto:|\/(?!\/))/.test(href), `a link leads to ${href}`);
  }
  const strange = await page.locator('.markdown').evaluate((root) => [...root.querySelectorAll('script, img, svg, iframe, style, object, form, [onerror], [onload], [onmouseover], [srcdoc]')].map((one) => one.outerHTML));
  check(strange.length === 0, `markup of the text is in the page: ${strange.join(' ')}`);
  check((await page.evaluate(() => window.hit)) === undefined, 'a script of the text ran');
  check(lena.strangers.length === 0, `asked ${lena.strangers.join()}`);
  check(!lena.problems.some((one) => /Content Security Policy|Refused/.test(one)), lena.problems.join('; '));
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('region', { name: 'Preview' }).getByText('pixel').waitFor();
  check((await page.evaluate(() => window.hit)) === undefined, 'a script of the text ran in the preview');
  await lena.leave();
});

test('a_change_of_somebody_else_is_not_written_over', async () => {
  const made = await write('Shared notes', 'first');
  const lena = await as(await member(), `/reports/${made.id}`);
  const { page } = lena;
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Markdown').fill('of lena');
  await world.work.call('PUT', `/api/v1/reports/${made.id}`, { title: 'Shared notes', text: 'of the administrator' });
  await page.getByRole('button', { name: 'Save' }).click();
  await lena.sees(/has changed the report since you opened it/);
  check((await page.getByLabel('Markdown').inputValue()) === 'of lena', 'the text is lost');
  await lena.leave();
});

const idsOf = async () => (await world.work.call('GET', '/api/v1/runs?search=digits&sortBy=name', undefined, (await member()).token)).runs.map((r) => r.id);

test('runs_are_compared_as_bands_points_bars_and_against_the_best', async () => {
  await member();
  const ids = await idsOf();
  const lena = await as(await member(), `/runs/compare?${ids.map((id) => `run=${id}`).join('&')}`);
  const { page } = lena;
  await page.getByLabel('Group the lines by').selectOption('params.model');
  await page.locator('.run-chart').first().locator('.u-series:not(.run-raw)').getByText('resnet (3)').waitFor();
  check(/group=params.model/.test(page.url()), page.url());
  await page.getByRole('button', { name: 'GPU-hours' }).click();
  await lena.sees('None of these runs was logged from a workload that held GPUs.');
  await page.getByRole('tab', { name: 'Scatter' }).click();
  await page.getByRole('combobox', { name: /^Across/ }).selectOption('params.lr');
  await page.getByRole('combobox', { name: /^Up/ }).selectOption('metrics.loss');
  await page.getByRole('checkbox', { name: 'Log scale across' }).check();
  const spots = page.getByRole('group', { name: 'metrics.loss against params.lr, 3 runs' }).getByRole('link');
  check((await spots.count()) === 3, `${await spots.count()} points`);
  const places = await page.locator('.scatter circle').evaluateAll((all) => all.map((one) => Number(one.getAttribute('cx'))).sort((a, b) => a - b));
  check(Math.abs(places[2] - places[1] - (places[1] - places[0])) < 1, `0.001, 0.01 and 0.1 are not evenly apart: ${places}`);
  await page.getByRole('tab', { name: 'Bars' }).click();
  await page.locator('.run-bars li').getByText(/± .*\(3\)/).waitFor();
  await page.getByRole('combobox', { name: /^Group by/ }).selectOption('');
  await page.waitForFunction(() => document.querySelectorAll('.run-bars li').length === 3);
  await page.getByRole('tab', { name: 'Parameters' }).click();
  await page.getByRole('combobox', { name: /^Best by/ }).selectOption('summary/best');
  await page.getByRole('columnheader', { name: /digits-2.*best/ }).waitFor();
  check((await page.locator('td.other').count()) === 2, 'what differs from the best run is not marked');
  check(lena.problems.length === 0, lena.problems.join('; '));
  await lena.leave();
});

test('a_view_of_a_comparison_is_saved_for_the_members_of_the_project', async () => {
  const ids = await idsOf();
  const lena = await as(await member(), `/runs/compare?${ids.map((id) => `run=${id}`).join('&')}&smooth=0.5&log=1`);
  await lena.page.getByRole('button', { name: 'Views' }).click();
  await lena.page.getByRole('button', { name: 'Save this view' }).click();
  await lena.page.getByLabel('Name').fill('Three rates');
  await lena.page.getByRole('dialog', { name: 'Save this view' }).getByRole('button', { name: 'Save' }).click();
  await lena.sees(/The view Three rates is saved/);
  await lena.leave();
  const vera = await as({ email: 'vera.reports@lab.example.org', password: 'vera.reports@lab.example.org-keeps-a-long-one' }, `/runs/compare?run=${ids[0]}`);
  await vera.page.getByRole('button', { name: 'Views' }).click();
  await vera.page.getByRole('link', { name: 'Three rates' }).click();
  await vera.page.getByRole('img', { name: 'loss of 3 runs' }).locator('canvas').waitFor();
  check(/smooth=0.5/.test(vera.page.url()) && /log=1/.test(vera.page.url()), vera.page.url());
  await vera.leave();
});

test('runs_are_exported_as_parquet_that_another_program_reads', async () => {
  const lena = await as(await member(), '/runs?q=digits');
  const { page } = lena;
  await page.getByRole('link', { name: 'digits-0' }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Parquet' }).click()]);
  const bytes = readFileSync(await file.path());
  const { parquetReadObjects } = await import(`${ROOT}web/node_modules/hyparquet/src/index.js`);
  const rows = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) });
  check(rows.length === 3, `${rows.length} rows`);
  const one = rows.find((row) => row.name === 'digits-1');
  check(one['params.lr'] === '0.01' && typeof one['metrics.loss'] === 'number' && one.startedAt instanceof Date, JSON.stringify(one));
  await lena.leave();
});

test('files_of_several_runs_are_seen_side_by_side', async () => {
  const { token } = await member();
  const ids = await idsOf();
  const runs = await Promise.all(ids.slice(0, 2).map((id) => world.work.call('GET', `/api/v1/runs/${id}`, undefined, token)));
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  for (const run of runs) {
    const response = await fetch(`${world.work.url}/api/2.0/mlflow-artifacts/artifacts/${run.experimentId}/${run.id}/artifacts/images/sample.png`, { method: 'PUT', headers: { Authorization: `Bearer ${token}` }, body: picture });
    check(response.ok, `upload: ${response.status}`);
  }
  const lena = await as(await member(), `/runs/compare?${ids.map((id) => `run=${id}`).join('&')}&tab=media`);
  for (const run of runs) await lena.page.getByRole('img', { name: `images/sample.png of ${run.name}` }).waitFor();
  await lena.page.getByRole('tab', { name: 'Files' }).click();
  await lena.page.getByRole('row', { name: /images\/sample.png/ }).waitFor();
  check(lena.problems.length === 0, lena.problems.join('; '));
  await lena.leave();
});
