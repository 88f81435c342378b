// What is measured on the pages, inside Chromium.

// A page is useful once this is on the screen.
export const PAGES = [
  { name: 'Workloads', path: '/workloads', ready: '[aria-label="Workloads"] tbody tr:nth-child(5)' },
  { name: 'My work', path: '/my-work', ready: '.tiles, .empty, .free-gpu' },
  { name: 'Nodes', path: '/nodes', ready: '.node-card .gpu:not(.pending)' },
  { name: 'Queue', path: '/queue', ready: '[aria-label="Queue"] tbody tr:nth-child(5)' },
];

/** Milliseconds from now until `selector` is there and one more frame has been drawn. */
function watch(selector) {
  window.usefulAt = new Promise((resolve) => {
    const look = () => {
      if (performance.now() > 120_000) resolve(null);
      else if (document.querySelector(selector)) requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
      else requestAnimationFrame(look);
    };
    look();
  });
}

async function newContext(browser, lab) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  // As the page signs in: the cookie into the browser, the key into the storage.
  const key = 'k'.repeat(43);
  const answer = await context.request.post(`${lab.url}/api/v1/token`, { headers: { 'Gpuyard-Page': key }, data: lab.credentials });
  const { name, expiresAt } = await answer.json();
  // An older page keeps the tokens themselves.
  const account = expiresAt === undefined ? lab.tokens : { key, name, expires: expiresAt };
  await context.addInitScript((kept) => localStorage.setItem('gpuyard.session', JSON.stringify(kept)), account);
  return context;
}

/** Counts the processor time of the page's main thread, which other programs do not lengthen. */
class Processor {
  static async of(context, page) {
    const processor = new Processor();
    processor.session = await context.newCDPSession(page);
    await processor.session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return processor;
  }
  async milliseconds() {
    const { metrics } = await this.session.send('Performance.getMetrics');
    return metrics.find((m) => m.name === 'TaskDuration').value * 1000;
  }
}

/** One cold load: empty cache, from the start of the navigation. Time by the clock and of the processor. */
export async function paint(browser, lab, { path, ready }) {
  const context = await newContext(browser, lab);
  const page = await context.newPage();
  const processor = await Processor.of(context, page);
  await page.addInitScript(watch, ready);
  await page.goto(lab.url + path, { waitUntil: 'commit' });
  const at = await page.evaluate(() => window.usefulAt);
  if (at === null) throw new Error(`${path} has shown no ${ready} in two minutes`);
  const cpu = await processor.milliseconds();
  await context.close();
  return { at, cpu };
}

/** Bytes of JavaScript that the first load takes, as they come over the wire. */
export async function scriptBytes(browser, lab) {
  const context = await newContext(browser, lab);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const scripts = new Map();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (/javascript/.test(response.mimeType)) scripts.set(requestId, 0);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scripts.set(requestId, encodedDataLength);
  });
  await page.goto(`${lab.url}/workloads`);
  await page.waitForSelector(PAGES[0].ready);
  await context.close();
  return [...scripts.values()].reduce((sum, size) => sum + size, 0);
}

// Runs in the page: does something, waits until the text of the list is another and is drawn.
async function changed(act) {
  const shown = () => document.querySelector('.pager [role=status]')?.textContent + '|' + document.querySelector('[aria-label="Workloads"] tbody')?.textContent;
  const busy = () => document.querySelector('section.card[aria-busy=true]') !== null;
  const before = shown();
  const began = performance.now();
  if (act.key) {
    const input = document.querySelector('input[type=search]');
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
    set.call(input, act.key);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  } else if (act.check) {
    [...document.querySelectorAll('label.check')].find((l) => l.textContent.trim() === act.check).querySelector('input').click();
  } else {
    document.querySelector(act.click).click();
  }
  while (shown() === before || busy()) {
    if (performance.now() - began > 20_000) throw new Error(`nothing changed after ${JSON.stringify(act)}`);
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
  return performance.now() - began;
}

/** Changes of what the workload list shows. */
export async function changes(browser, lab, rounds) {
  const context = await newContext(browser, lab);
  const page = await context.newPage();
  await page.goto(`${lab.url}/workloads`);
  await page.waitForSelector(PAGES[0].ready);
  const processor = await Processor.of(context, page);
  const times = { page: [], phase: [], search: [] };
  const change = async (what, act) => {
    const before = await processor.milliseconds();
    const at = await page.evaluate(changed, act);
    times[what].push({ at, cpu: (await processor.milliseconds()) - before });
  };
  for (let i = 0; i < rounds; i++) {
    await change('page', { click: '[aria-label="Next page"]' });
    await change('search', { key: ['resnet', 'vit', 'lora', 'ppo', 'gan'][i % 5] });
    await page.locator('.toolbar').getByRole('button', { name: 'Status', exact: true }).click();
    await change('phase', { check: 'Failed' });
    await page.goto(`${lab.url}/workloads`);
    await page.waitForSelector(PAGES[0].ready);
  }
  await context.close();
  return times;
}

async function heap(session) {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** The heap of an open page while updates come in: samples of [seconds, bytes]. */
export async function memory(browser, lab, path, { seconds, samples }) {
  const context = await newContext(browser, lab);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(lab.url + path);
  await page.waitForSelector(PAGES.find((p) => p.path === path).ready);
  await page.waitForTimeout(10_000);
  const began = Date.now();
  const taken = [];
  for (let i = 0; i <= samples; i++) {
    const due = began + (i * seconds * 1000) / samples;
    await page.waitForTimeout(Math.max(0, due - Date.now()));
    taken.push([(Date.now() - began) / 1000, await heap(session)]);
  }
  await context.close();
  return taken;
}
