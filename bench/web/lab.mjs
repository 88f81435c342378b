// The large lab to measure on: one server, filled by `gpuyard demo`.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ADMIN, PROGRAM, SCRATCH } from '../../tests/web/lib.mjs';

const PASSWORD = 'gpuyard-demo';
const TICKS_PER_SECOND = 100;

/** What the pages ask for. */
export const ROUTES = ['/api/v1/workloads?limit=50&sortBy=createdAt&sortOrder=desc', '/api/v1/workloads/count', '/api/v1/queue', '/api/v1/gpus', '/api/v1/nodes?limit=200&sortBy=name', '/api/v1/org-unit/projects?limit=500&sortBy=name'];

export class Lab {
  /** Resolves when the lab is filled and served. */
  static async start({ workloads, nodes, program = PROGRAM, name = 'lab' }) {
    const lab = new Lab();
    const began = Date.now();
    const args = ['demo', '--data-dir', `${SCRATCH}/${name}`, '--listen', '127.0.0.1:0', '--workloads', workloads, '--nodes', nodes];
    const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('GPUYARD_')));
    lab.process = spawn(program, args.map(String), { env, stdio: ['ignore', 'pipe', 'inherit'] });
    lab.url = await new Promise((resolve, reject) => {
      let words = '';
      lab.process.stdout.on('data', (piece) => {
        words += piece;
        const url = /url\s+(http\S+)/.exec(words);
        if (url) resolve(url[1]);
      });
      lab.process.once('exit', (code) => reject(new Error(`gpuyard demo ended with ${code}`)));
    });
    lab.filledIn = (Date.now() - began) / 1000;
    await lab.signIn();
    return lab;
  }

  async signIn() {
    this.credentials = { grantType: 'password', username: ADMIN, password: PASSWORD };
    const answer = await this.call('POST', '/api/v1/token', this.credentials);
    this.tokens = { access: answer.accessToken, refresh: answer.refreshToken ?? null };
  }

  async call(method, path, body) {
    const headers = { 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' };
    if (this.tokens) headers.Authorization = `Bearer ${this.tokens.access}`;
    const response = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    this.lastSize = text.length;
    return text ? JSON.parse(text) : undefined;
  }

  /** Seconds of CPU so far. */
  cpu() {
    const fields = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  megabytes() {
    const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'));
    return Math.round(Number(line[1]) / 1024);
  }

  /** It takes no processor time until it goes on. */
  pause() {
    this.process.kill('SIGSTOP');
  }

  resume() {
    this.process.kill('SIGCONT');
  }

  async stop() {
    if (this.process.exitCode !== null) return;
    this.resume();
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await ended;
  }
}

/** Short jobs at a steady rate; each is created, placed, started and ended: four updates. */
export class Updates {
  static PER_JOB = 4;

  constructor(lab, perSecond) {
    this.lab = lab;
    this.every = (1000 * Updates.PER_JOB) / perSecond;
    this.sent = 0;
    this.failed = 0;
  }

  async start() {
    const { projects } = await this.lab.call('GET', '/api/v1/org-unit/projects?limit=100');
    const project = projects.find((p) => p.name === 'robotics');
    this.body = (number) => ({
      name: `tick-${Date.now().toString(36)}-${number}`,
      projectId: String(project.id),
      clusterId: project.clusterId,
      spec: { command: 'sleep 1', compute: { cpuCoreRequest: 0.1, cpuMemoryRequest: '10M' } },
    });
    const began = Date.now();
    this.timer = setInterval(() => {
      while (this.sent < (Date.now() - began) / this.every) this.submit();
    }, 20);
  }

  submit() {
    const number = this.sent++;
    this.lab.call('POST', '/api/v1/workloads/trainings', this.body(number)).catch((error) => {
      if (this.failed++ === 0) console.error(String(error));
    });
  }

  stop() {
    clearInterval(this.timer);
  }
}
