// Behind nginx, below a path of its host: the dashboard, a shell, a log, a tool, and strangers.
//
// The configuration is that of docs/configuration.md, with ports and files of this test.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { ADMIN, alsoEnd, freePort, PASSWORD, PROGRAM, ROOT, SCRATCH, Server, until } from './lib.mjs';
import { check, test, world } from './world.mjs';

const FOLDER = `${SCRATCH}/nginx`;

function certificate() {
  mkdirSync(FOLDER, { recursive: true });
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1', '-keyout', `${FOLDER}/key`, '-out', `${FOLDER}/crt`, ...names], { stdio: 'ignore' });
}

/** The block of the documentation that is written in a language. */
const told = (language) => new RegExp(`\`\`\`${language}\n([^\`]*proxy_pass[^\`]*)\`\`\``).exec(readFileSync(`${ROOT}docs/configuration.md`, 'utf8'))[1];

async function startNginx({ port, tools, behind, toolsBehind }) {
  const own = told('nginx')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('listen 8443 ssl', `listen 127.0.0.1:${tools} ssl`)
    .replaceAll('/etc/ssl/lab.crt', `${FOLDER}/crt`)
    .replaceAll('/etc/ssl/lab.key', `${FOLDER}/key`)
    .replace('http://127.0.0.1:8470/', `http://127.0.0.1:${behind}/`)
    .replace('http://127.0.0.1:8471', `http://127.0.0.1:${toolsBehind}`);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${FOLDER}/${name};`).join(' ');
  writeFileSync(`${FOLDER}/conf`, `daemon off; pid ${FOLDER}/pid; error_log ${FOLDER}/error.log; events {} http { access_log off; ${places} ${own} }`);
  const log = openSync(`${FOLDER}/log`, 'a');
  alsoEnd(spawn('/usr/sbin/nginx', ['-p', FOLDER, '-c', `${FOLDER}/conf`], { stdio: ['ignore', log, log] }));
  await until(async () => (await ask(`https://127.0.0.1:${port}/gpuyard/healthz`)).status === 200, 'nginx');
}

/** One request of a program. */
const ask = (url, headers = {}, method = 'GET') =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, rejectUnauthorized: false }, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    sent.on('error', reject);
    sent.end();
  });

const TOOL = `import http.server,os
class Tool(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"<title>tool</title>hello from the tool")
http.server.HTTPServer(("127.0.0.1", int(os.environ["GPUYARD_PORT"])), Tool).serve_forever()`;

/** A workspace whose log has a line and whose tool has a page. */
async function workspace(server) {
  const [cluster] = await server.call('GET', '/api/v1/clusters');
  const project = await server.call('POST', '/api/v1/org-unit/projects', { name: 'vision', clusterId: cluster.uuid, resources: [{ nodePool: { id: '1', name: 'default' }, gpu: { deserved: 1 } }] });
  const code = Buffer.from(TOOL).toString('base64');
  const spec = {
    command: 'sh',
    args: `-c "echo it began; exec python3 -c 'import base64;exec(base64.b64decode(\\"${code}\\"))'"`,
    exposedUrls: [{ container: 8888, toolType: 'custom', toolName: 'Page' }],
  };
  const made = await server.call('POST', '/api/v1/workloads/workspaces', { name: 'desk', projectId: project.id, clusterId: cluster.uuid, spec });
  return made.workloadId;
}

/** A server below /gpuyard, a workspace on it, and a browser that nobody is signed in with. */
async function below() {
  if (spawnSync('/usr/sbin/nginx', ['-v']).status !== 0) throw new Error('nginx is not installed: ./dev setup');
  certificate();
  const [port, tools, toolsBehind] = [await freePort(), await freePort(), await freePort()];
  const base = `https://127.0.0.1:${port}/gpuyard`;
  const options = ['--native-tasks', process.geteuid() === 0 ? 'isolated' : 'self'];
  const server = new Server('below', [...options, '--public-url', base, '--tools-url', `https://127.0.0.1:${tools}`, '--trusted-proxies', '127.0.0.1']);
  server.tools = `127.0.0.1:${toolsBehind}`;
  await server.start();
  server.token = await server.signIn();
  await startNginx({ port, tools, behind: server.port, toolsBehind });
  const context = await world.browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1440, height: 900 } });
  return { server, base, toolsBase: `https://127.0.0.1:${tools}`, context, id: await workspace(server) };
}

async function signsIn(site) {
  const page = await site.context.newPage();
  const [problems, elsewhere] = [[], []];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (m) => m.type() === 'error' && problems.push(m.text()));
  page.on('request', (r) => /^https?:/.test(r.url()) && !r.url().startsWith(site.base) && elsewhere.push(r.url()));
  await page.goto(site.base);
  await page.fill('input[name=username]', ADMIN);
  await page.fill('input[name=password]', PASSWORD);
  await page.click('button[type=submit]');
  await page.waitForSelector('.sidebar');
  await page.waitForURL(`${site.base}/my-work`);
  return { page, problems, elsewhere };
}

async function usesAShellAndALog(site, page) {
  await page.goto(`${site.base}/workloads/${site.id}?tab=terminal`);
  await page.locator('main header').getByText('Running', { exact: true }).waitFor({ timeout: 60_000 });
  await page.locator('.xterm-helper-textarea').waitFor();
  await page.waitForTimeout(500);
  await page.locator('.xterm').click();
  await page.keyboard.type('echo $((6*7))ish\n');
  await page.locator('.xterm-rows').getByText('42ish').waitFor({ timeout: 30_000 });
  await page.getByRole('tab', { name: 'Logs' }).click();
  await page.locator('.log-line').getByText('it began').waitFor();
}

function usesTheCommandLine(site) {
  const env = { PATH: process.env.PATH, HOME: FOLDER, GPUYARD_URL: site.base, GPUYARD_TOKEN: site.server.token, GPUYARD_CA_FILE: `${FOLDER}/crt` };
  const say = (...words) => execFileSync(PROGRAM, words, { env, encoding: 'utf8', timeout: 60_000 });
  check(say('exec', 'desk', '--', 'sh', '-c', 'echo $((6*7))ish').trim() === '42ish', 'no command runs by the command line');
  check(say('logs', 'desk').includes('it began'), 'the command line shows no log');
}

async function opensTheTool(site, page) {
  await page.getByRole('tab', { name: 'Connections' }).click();
  const opened = site.context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  const tool = await opened;
  await tool.getByText('hello from the tool').waitFor({ timeout: 30_000 });
  check(tool.url() === `${site.toolsBase}/vision/desk/`, `the tool is at ${tool.url()}`);
  const read = await tool.evaluate((to) => fetch(`${to}/api/v1/me`, { credentials: 'include' }).then((r) => r.status, () => 'refused'), site.base);
  check(read === 'refused', `the tool asks the API: ${read}`);
  await tool.close();
}

async function refusesStrangers(site, page) {
  const cookies = await site.context.cookies(site.base);
  const session = cookies.find((one) => one.name.endsWith('gpuyard_session'));
  check(session?.name === '__Host-gpuyard_session' && session.secure && session.httpOnly, `the cookie is ${JSON.stringify(session?.name)}`);
  const cookie = `${session.name}=${session.value}`;
  const key = await page.evaluate(() => JSON.parse(localStorage.getItem('gpuyard.session')).key);
  const me = async (headers) => (await ask(`${site.base}/api/v1/me`, headers)).status;
  const origin = new URL(site.base).origin;
  check((await me({ cookie, 'gpuyard-page': key, origin })) === 200, 'the page itself is refused');
  check((await me({ cookie })) === 401, 'the cookie alone is taken');
  check((await me({ cookie, 'gpuyard-page': key, origin: site.toolsBase })) === 403, 'the origin of the tools is taken');
  const hello = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', authorization: `Bearer ${site.server.token}` };
  const shell = await ask(`${site.base}/api/v1/workloads/${site.id}/exec?command=true`, { ...hello, origin: site.toolsBase });
  check(shell.status === 403, `a shell for another origin: ${shell.status}`);
}

async function leadsBack(site) {
  const lost = await ask(`${site.toolsBase}/vision/desk/`, { accept: 'text/html' });
  check(lost.headers.location?.startsWith(`${site.base}/open?tool=`), `without a ticket it leads to ${lost.headers.location}`);
  const old = await ask(`${site.base}/vision/desk/`, { authorization: `Bearer ${site.server.token}` });
  check(old.headers.location === `${site.toolsBase}/vision/desk/`, `the old address leads to ${old.headers.location}`);
  const bare = await ask(site.base);
  check(bare.status === 301 && bare.headers.location.endsWith('/gpuyard/'), `without a slash it is ${bare.status}`);
}

test('below_a_path_of_a_reverse_proxy_everything_works_and_strangers_stay_out', async () => {
  const site = await below();
  const { page, problems, elsewhere } = await signsIn(site);
  await usesAShellAndALog(site, page);
  usesTheCommandLine(site);
  await opensTheTool(site, page);
  await refusesStrangers(site, page);
  await leadsBack(site);
  await page.goto(`${site.base}/docs/first-hour`);
  await page.locator('.docs-nav').getByText('Configuration').first().click();
  await page.waitForURL(`${site.base}/docs/configuration`);
  const strangers = elsewhere.filter((url) => !url.startsWith(site.toolsBase));
  check(strangers.length === 0, `it asks elsewhere: ${strangers}`);
  check(problems.length === 0, `the pages complain: ${problems}`);
  await site.context.close();
  await site.server.call('DELETE', `/api/v1/workloads/workspaces/${site.id}`);
});
