// A hostile tool: what its page, and other ports of the host, get of whoever opens it.
import { createServer } from 'node:http';
import { ADMIN, freePort, PASSWORD } from './lib.mjs';
import { check, Person, siteOf, test, world } from './world.mjs';

// Serves one page that takes all it can reach and shows it, and the headers that came with the request.
const HOSTILE = String.raw`
import http.server, sys
PAGE = b"""<!doctype html><title>tool</title><pre id=loot></pre><script>
const loot = { origin: location.origin, storage: JSON.stringify(localStorage), cookies: document.cookie, opener: String(window.opener) };
const tries = [fetch(DASHBOARD + '/api/v1/me', { credentials: 'include' }),
  fetch(DASHBOARD + '/api/v1/me', { credentials: 'include', headers: { 'Gpuyard-Page': 'k'.repeat(43) } }),
  fetch(DASHBOARD + '/api/v1/users', { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'text/plain' }, body: '{}' })];
Promise.allSettled(tries).then((all) => {
  loot.read = all.map((one) => one.status + ' ' + (one.value ? one.value.type : ''));
  document.getElementById('loot').textContent = JSON.stringify({ ...loot, sent: HEADERS });
});
</script>"""
class Tool(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        import json
        page = PAGE.replace(b"HEADERS", json.dumps(str(self.headers)).encode()).replace(b"DASHBOARD", repr(sys.argv[2]).encode())
        self.send_response(200); self.send_header("Content-Type", "text/html"); self.send_header("Set-Cookie", "gpuyard_session=evil; Path=/"); self.end_headers(); self.wfile.write(page)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Tool).serve_forever()
`;

async function hostileTool(base) {
  const port = await freePort();
  const code = Buffer.from(HOSTILE).toString('base64');
  const spec = {
    command: 'python3',
    args: `-c "import base64;exec(base64.b64decode('${code}'))" ${port} ${base}`,
    exposedUrls: [{ container: port, toolType: 'custom', toolName: 'Evil', authorizationType: 'public' }],
  };
  const made = await world.work.call('POST', '/api/v1/workloads/workspaces', { name: 'evil', projectId: world.project.id, clusterId: world.project.clusterId, spec });
  return made.workloadId;
}

async function whoOpensIt() {
  const base = await siteOf(world.work);
  const id = await hostileTool(base);
  const person = await Person.of(ADMIN, PASSWORD, `/workloads/${id}?tab=connections`, base);
  await person.page.waitForSelector('.sidebar');
  await person.page.locator('main header').getByText('Running', { exact: true }).waitFor({ timeout: 60_000 });
  await person.page.getByRole('tab', { name: 'Connections' }).click();
  return person;
}

test('a_hostile_tool_gets_nothing_of_whoever_opens_it', async () => {
  const person = await whoOpensIt();
  const opened = person.context.waitForEvent('page');
  await person.page.getByRole('link', { name: 'Open', exact: true }).click();
  const tool = await opened;
  for (let tries = 0; tries < 20 && !(await tool.locator('#loot').count()); tries++) {
    await tool.waitForTimeout(500);
    if (/"code"/.test(await tool.locator('body').innerText().catch(() => ''))) await tool.reload();
  }
  await tool.waitForFunction(() => document.getElementById('loot')?.textContent);
  const loot = JSON.parse(await tool.locator('#loot').textContent());
  check(loot.origin !== person.base && new URL(tool.url()).pathname === '/vision/evil/', `the tool is at ${tool.url()}`);
  check(!tool.url().includes('gpuyard-code'), `the code stays in the address: ${tool.url()}`);
  check(loot.storage === '{}' && loot.cookies === '' && loot.opener === 'null', `it reads ${JSON.stringify(loot)}`);
  check(loot.read.every((one) => one.startsWith('rejected')), `it asks the API: ${loot.read}`);
  check(!/gpuyard_|bearer|authorization:|cookie:/i.test(loot.sent), `it was sent ${loot.sent}`);
  await person.leave();
});

test('another_port_of_the_host_gets_a_cookie_that_is_worth_nothing', async () => {
  const base = await siteOf(world.work);
  const person = await Person.of(ADMIN, PASSWORD, '/my-work', base);
  await person.page.waitForSelector('.sidebar');
  const kept = await person.page.evaluate(() => JSON.stringify(localStorage));
  check(!/eyJ[\w-]+\.[\w-]+\./.test(kept), `there is a token in the storage: ${kept}`);
  let cookie = '';
  const thief = createServer((request, response) => {
    cookie = request.headers.cookie ?? '';
    response.end('hello');
  });
  await new Promise((resolve) => thief.listen(0, '127.0.0.1', resolve));
  await person.page.goto(`http://127.0.0.1:${thief.address().port}/`);
  await new Promise((resolve) => thief.close(resolve));
  check(cookie.includes('gpuyard_session='), 'the browser keeps the cookie from other ports, and this test shows nothing');
  const value = /gpuyard_session=([^;]*)/.exec(cookie)[1];
  for (const headers of [{ cookie }, { authorization: `Bearer ${value}` }, { cookie, 'gpuyard-page': 'x'.repeat(43) }]) {
    const answer = await fetch(`${world.work.url}/api/v1/me`, { headers });
    check(answer.status === 401, `with ${Object.keys(headers)} it is ${answer.status}`);
  }
  await person.page.goto(`${base}/my-work`);
  await person.page.waitForSelector('.sidebar');
  await person.leave();
});

test('two_tabs_share_a_session_and_sign_out_together', async () => {
  const base = await siteOf(world.work);
  const person = await Person.of(ADMIN, PASSWORD, '/my-work', base);
  await person.page.waitForSelector('.sidebar');
  const second = await person.context.newPage();
  await second.goto(`${base}/workloads`);
  await second.waitForSelector('.sidebar');
  await second.evaluate(() => localStorage.removeItem('gpuyard.session'));
  await person.page.waitForSelector('input[name=password]');
  await person.leave();
});
