// A real server, the built dashboard and a real Chromium, for the suite and the screenshots.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(`${ROOT}web/package.json`);
const { chromium } = require('playwright-core');
export const AXE = require.resolve('axe-core/axe.min.js');

export const PROGRAM = `${process.env.YARD_BUILD ?? `${ROOT}build/release`}/gpuyard`;
export const SCRATCH = process.env.YARD_SCRATCH ?? '/tmp/gpuyard-web-test';
export const ADMIN = 'admin@gpuyard.local';
export const PASSWORD = 'correct-horse-battery';
const children = [];

export function freshScratch() {
  rmSync(SCRATCH, { recursive: true, force: true });
  mkdirSync(SCRATCH, { recursive: true });
}

/** Below those that the kernel gives to whoever asks for any: a server that is started again finds it free. */
export async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const taken = await new Promise((resolve) => server.once('error', () => resolve(true)).listen(port, '127.0.0.1', () => resolve(false)));
    if (taken) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

function cleanEnvironment(more) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('GPUYARD_')));
  return { ...clean, HOME: SCRATCH, XDG_CONFIG_HOME: `${SCRATCH}/config`, XDG_DATA_HOME: `${SCRATCH}/data`, ...more };
}

export async function until(check, what, seconds = 90) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await check().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited ${seconds} s for ${what}`);
}

export class Server {
  /** Without a password the server makes one up and prints it. */
  constructor(name = 'main', options = [], { password = PASSWORD } = {}) {
    this.dataDir = `${SCRATCH}/${name}`;
    this.options = options;
    this.password = password;
    this.tools = '127.0.0.1:0';
  }

  async start(port) {
    this.port = port ?? (await freePort());
    this.url = `http://127.0.0.1:${this.port}`;
    const log = openSync(`${this.dataDir}.log`, 'a');
    const args = ['server', '--data-dir', this.dataDir, '--listen', `127.0.0.1:${this.port}`, '--tools-listen', this.tools, '--tls', 'off', ...this.options];
    this.process = spawn(PROGRAM, args, { env: cleanEnvironment(this.password ? { GPUYARD_ADMIN_PASSWORD: this.password } : {}), stdio: ['ignore', log, log] });
    children.push(this.process);
    await until(async () => (await fetch(`${this.url}/readyz`)).ok, 'the server');
    return this;
  }

  async stop(signal = 'SIGTERM') {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill(signal);
    await ended;
  }

  async call(method, path, body, token = this.token) {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  async signIn(username = ADMIN, password = PASSWORD) {
    const answer = await this.call('POST', '/api/v1/token', { grantType: 'password', username, password }, null);
    return answer.accessToken;
  }
}

/** Where the dashboard is: the server's own page if it is the newest build, else web/dist in front of it. */
export async function serveDashboard(server) {
  const page = await fetch(`${server.url}/`).catch(() => null);
  if (page?.ok && (await page.text()).replaceAll('="./', '="/') === readFileSync(`${ROOT}web/dist/index.html`, 'utf8')) return server.url;
  const port = await freePort();
  const vite = require.resolve('vite/package.json').replace('package.json', 'bin/vite.js');
  const log = openSync(`${SCRATCH}/preview.log`, 'a');
  const child = spawn('node', [vite, 'preview', '--host', '127.0.0.1', '--port', String(port), '--strictPort'], {
    cwd: `${ROOT}web`,
    env: { ...process.env, GPUYARD_URL: server.url },
    stdio: ['ignore', log, log],
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(url)).ok, 'the preview');
  return url;
}

export async function openBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A process that ends with the suite. */
export function alsoEnd(child) {
  children.push(child);
}

export function endAll() {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
}
