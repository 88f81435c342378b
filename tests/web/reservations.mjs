// Keeping GPUs for a deadline: made by the form, seen in the calendar, changed elsewhere, given up.
import { ADMIN, PASSWORD } from './lib.mjs';
import { personWith, TENANT } from './people.mjs';
import { check, Person, siteOf, test, world } from './world.mjs';

const DAY = 86_400_000;

/** "2026-11-15T18:00", as a field for times takes it, in the zone of the browser. */
const minute = (page, at) => page.evaluate((t) => new Date(t - new Date(t).getTimezoneOffset() * 60_000).toISOString().slice(0, 16), at);
const said = (page, label) => page.locator('dialog .field', { hasText: label }).locator('.field-error');
const bar = (page, text) => page.getByRole('region', { name: 'Calendar of reservations' }).locator('.gantt-bar', { hasText: text });
const submit = (page) => page.locator('dialog button[type=submit]').click();

test('a_reservation_is_made_seen_in_the_calendar_and_given_up', async () => {
  const ann = await Person.of(ADMIN, PASSWORD, '/reservations', await siteOf(world.work));
  const { page } = ann;
  const start = Date.now() + 10 * DAY;
  await ann.sees('No reservations yet');
  await page.getByRole('button', { name: 'Reserve GPUs' }).first().click();
  await page.fill('input[name=name]', 'icml <b>bold</b>');
  await page.selectOption('select[name=projectId]', { label: 'vision' });
  await page.fill('input[name=gpu]', '40');
  await page.fill('input[name=start]', await minute(page, start));
  await page.fill('input[name=end]', await minute(page, start - DAY));
  await submit(page);
  await said(page, 'Name').waitFor();
  await page.fill('input[name=name]', 'icml');
  await submit(page);
  await said(page, 'To').getByText('must be after start').waitFor();
  await page.fill('input[name=end]', await minute(page, start + 2 * DAY));
  await submit(page);
  await said(page, 'GPUs').getByText('more than is left').waitFor();
  check((await page.inputValue('input[name=name]')) === 'icml', 'the name was lost');
  await page.fill('input[name=gpu]', '3');
  await submit(page);
  await bar(page, 'icml · 3').waitFor();
  await page.getByRole('row', { name: /icml vision Upcoming 3/ }).waitFor();

  const { reservations } = await world.work.call('GET', '/api/v1/reservations');
  const made = reservations[0];
  await world.work.call('PUT', `/api/v1/reservations/${made.id}`, { gpu: 2, start: made.start, end: made.end });
  await bar(page, 'icml · 2').waitFor();

  const from = await page.evaluate((t) => new Date(t - new Date(t).getTimezoneOffset() * 60_000).toISOString().slice(0, 10), start);
  await ann.open(`/reservations?span=week&from=${from}&reservation=${made.id}`);
  const opened = page.locator('dialog');
  await opened.getByText('2 GPUs of').waitFor();
  await opened.getByRole('link', { name: 'Its page' }).click();
  await page.getByRole('heading', { name: 'icml', exact: true }).waitFor();
  await page.getByText('vision runs now').waitFor();
  await ann.open(`/reservations?span=week&from=${from}`);
  const track = await page.locator('[data-project=vision] .gantt-track').boundingBox();
  await page.mouse.move(track.x + track.width * 0.96, track.y + track.height - 3);
  await page.mouse.down();
  await page.mouse.move(track.x + track.width * 0.99, track.y + track.height - 3, { steps: 4 });
  await page.mouse.up();
  await page.locator('dialog input[name=start]').waitFor();
  const [begins, ends] = [await page.inputValue('input[name=start]'), await page.inputValue('input[name=end]')];
  check(/T00:00$/.test(begins) && Date.parse(ends) - Date.parse(begins) === DAY, `dragging over a day chose ${begins} to ${ends}`);
  check((await page.locator('select[name=projectId] option:checked').innerText()) === 'vision', 'the project of the row is not chosen');
  await page.locator('dialog').getByRole('button', { name: 'Cancel' }).click();
  await bar(page, 'icml · 2').click();
  await opened.getByRole('button', { name: 'Delete…' }).click();
  await page.getByText('no longer kept for vision').waitFor();
  await submit(page);
  await ann.sees('No reservations yet');
  check((await world.work.call('GET', '/api/v1/reservations')).reservations.length === 0, 'it is still there');
  await ann.leave();
});

test('who_may_not_reserve_sees_the_calendar_and_no_buttons', async () => {
  const gil = await personWith('gil@lab.example.org', world.lab.reader.id, TENANT, '/reservations');
  await bar(gil.page, 'icml-deadline').waitFor();
  check((await gil.page.getByRole('button', { name: 'Reserve GPUs' }).count()) === 0, 'there is a button to reserve');
  await bar(gil.page, 'icml-deadline').click();
  await gil.page.locator('dialog').getByText('node pool a100').waitFor();
  check((await gil.page.getByRole('button', { name: 'Delete…' }).count()) === 0, 'there is a button to delete');
  await gil.leave();
});
