// Being told: a rule made by the form, tested by its button, and the messages it sent.
import { createServer } from 'node:http';
import { check, test, world } from './world.mjs';

/** A receiver on this machine that takes everything. */
async function receiver() {
  const taken = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      taken.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { taken, url: `http://127.0.0.1:${server.address().port}/hook`, close: () => server.close() };
}

const action = async (page, rule, name) => {
  await page.getByRole('button', { name: `Actions of ${rule}` }).click();
  await page.getByRole('menuitem', { name }).click();
};

test('a_webhook_rule_is_made_tested_and_its_message_is_in_the_log', async () => {
  const { page } = world.admin;
  const hook = await receiver();
  try {
    await world.admin.open('/notifications');
    await world.admin.sees('No notification rules yet');
    await page.getByRole('button', { name: 'New rule' }).first().click();
    await page.fill('input[name=name]', 'bot <b>bold</b>');
    await page.selectOption('select[name=channel]', 'webhook');
    await page.fill('input[name=target]', hook.url);
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByLabel('Starts').check();
    await page.locator('dialog button[type=submit]').click();
    await world.admin.sees(hook.url);
    await action(page, 'bot <b>bold</b>', 'Test');
    await world.admin.sees('was taken: the target answered 204');
    const messages = page.getByRole('table', { name: 'Messages' });
    await messages.getByText('Sent').waitFor();
    check(hook.taken.length === 1, `the receiver got ${hook.taken.length} messages`);
    check(/^v1=[0-9a-f]{64}$/.test(hook.taken[0].headers['gpuyard-signature']), 'the message is not signed');
    check(JSON.parse(hook.taken[0].body).event === 'Test', 'the message is no test');
    check((await page.locator('td b').count()) === 0, 'a name became markup');
  } finally {
    hook.close();
  }
});

test('a_target_that_does_not_answer_is_said_and_the_rule_is_deleted', async () => {
  const { page } = world.admin;
  await world.admin.open('/notifications');
  await action(page, 'bot <b>bold</b>', 'Test');
  await world.admin.sees('was not taken');
  await page.getByRole('table', { name: 'Messages' }).getByText('Not sent').waitFor();
  await action(page, 'bot <b>bold</b>', 'Delete…');
  await page.locator('dialog button[type=submit]').click();
  await world.admin.sees('No notification rules yet');
});
