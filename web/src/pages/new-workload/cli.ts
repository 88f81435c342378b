// The command line that submits a draft, and the draft that a command line means. Only flags of
// `gpuyard submit` and `gpuyard dev` that the form shows are written; the reader knows the same.
import { at, gpuText, put, putAll, putGpus, textAt, variables, type Draft, type Spec } from '@/pages/new-workload/draft';
import { quote, split } from '@/pages/new-workload/words';
import type { Parsed } from '@/pages/new-workload/yaml';

const PLAIN: [flag: string, path: string][] = [
  ['--image', 'image'],
  ['--pull', 'imagePullPolicy'],
  ['--workdir', 'workingDir'],
  ['--gpu-memory', 'compute.gpuMemoryRequest'],
  ['--mem', 'compute.cpuMemoryRequest'],
  ['--node-type', 'nodeType'],
  ['--stop-at', 'stopAt'],
  ['--priority', 'priorityClass'],
  ['--framework', 'distributedFramework'],
];
const NUMBERS: [flag: string, path: string][] = [
  ['--cpu', 'compute.cpuCoreRequest'],
  ['--workers', 'numWorkers'],
  ['--min-workers', 'minReplicas'],
  ['--retry', 'retry.limit'],
];
const SHORT: Record<string, string> = {
  '-n': '--name', '-J': '--name', '-p': '--project', '-i': '--image', '-e': '--env', '-g': '--gpu', '-G': '--gpu', '--gpus': '--gpu',
  '-c': '--cpu', '--memory': '--mem', '-w': '--workdir', '-t': '--time', '-H': '--hold', '--partition': '--pool', '--backoff-limit': '--retry',
};

function flags(draft: Draft): string[] {
  const { spec } = draft;
  const out: string[] = [];
  const add = (flag: string, value: unknown) => value !== '' && value !== undefined && value !== null && out.push(flag, quote(String(value)));
  add('--name', draft.name);
  add('--project', draft.project);
  add('--gpu', gpuText(spec));
  for (const [flag, path] of [...PLAIN, ...NUMBERS]) add(flag, at(spec, path));
  const pools = at(spec, 'nodePools');
  if (Array.isArray(pools)) add('--pool', pools.join(','));
  for (const v of variables(spec)) if (v.name) add('--env', `${v.name}=${v.value}`);
  const limit = Number(at(spec, 'timeLimitSeconds') ?? 0);
  if (limit > 0) add('--time', `${limit}s`);
  if (at(spec, 'compute.largeShmRequest')) out.push('--large-shm');
  if (at(spec, 'hold')) out.push('--hold');
  const preempt = textAt(spec, 'preemptibility');
  if (preempt) out.push(preempt === 'preemptible' ? '--preemptible' : '--no-preemption');
  for (const port of listAt(spec, 'ports')) add('--port', port.container);
  for (const m of listAt(spec, 'storage.hostPath')) add('--mount', `${m.path}:${m.mountPath}${m.readOnly ? ':ro' : ''}`);
  for (const m of listAt(spec, 'storage.nfs')) add('--nfs', `${m.server}:${m.path}:${m.mountPath}${m.readOnly ? ':ro' : ''}`);
  for (const m of listAt(spec, 'storage.pvc')) add('--pvc', `${m.claimName ?? m.name}:${m.path}${m.readOnly ? ':ro' : ''}`);
  return out;
}

function listAt(spec: Spec, path: string): Spec[] {
  const list = at(spec, path);
  return Array.isArray(list) ? (list as Spec[]) : [];
}

/** Null where the command line has no words for it. */
export function toCli(draft: Draft): string | null {
  if (draft.type === 'Inference') return null;
  const verb = draft.type === 'Workspace' ? ['gpuyard', 'dev', '--detach'] : ['gpuyard', 'submit'];
  const command = textAt(draft.spec, 'command');
  const args = textAt(draft.spec, 'args');
  const line = [...verb, ...flags(draft), ...(args && !command ? ['--args'] : [])].join(' ');
  const rest = [command, args].filter(Boolean).join(' ');
  return rest ? `${line} -- ${rest}` : line;
}

interface Reading {
  draft: Draft;
  error: string | null;
}

const SWITCHES: Record<string, Record<string, unknown>> = {
  '--large-shm': { 'compute.largeShmRequest': true },
  '--hold': { hold: true },
  '--preemptible': { preemptibility: 'preemptible' },
  '--no-preemption': { preemptibility: 'non-preemptible' },
  '--detach': {},
  '--args': {},
};

function seconds(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(s|m|min|h|d)?$/.exec(text);
  if (!match) return null;
  const unit = { s: 1, m: 60, min: 60, h: 3600, d: 86400 }[match[2] ?? 'm'] ?? 60;
  return Math.round(Number(match[1]) * unit);
}

const append = (spec: Spec, path: string, item: Spec) => put(spec, path, [...listAt(spec, path), item]);

function takeMount(spec: Spec, flag: string, value: string): Spec | null {
  const parts = value.split(':');
  const readOnly = parts.at(-1) === 'ro' ? { readOnly: true } : {};
  if (parts.at(-1) === 'ro') parts.pop();
  if (flag === '--mount' && parts.length === 2) return append(spec, 'storage.hostPath', { path: parts[0], mountPath: parts[1], ...readOnly });
  if (flag === '--nfs' && parts.length === 3) return append(spec, 'storage.nfs', { server: parts[0], path: parts[1], mountPath: parts[2], ...readOnly });
  if (flag === '--pvc' && parts.length === 2) return append(spec, 'storage.pvc', { claimName: parts[0], path: parts[1], existingPvc: true, ...readOnly });
  return null;
}

function takeValue(reading: Reading, flag: string, value: string): void {
  const { draft } = reading;
  const refuse = (why: string) => (reading.error = `${flag}: ${why}`);
  const set = (spec: Spec | null, why: string) => (spec ? (draft.spec = spec) : refuse(why));
  const plain = PLAIN.find(([name]) => name === flag)?.[1];
  const number = NUMBERS.find(([name]) => name === flag)?.[1];
  if (flag === '--name') draft.name = value;
  else if (flag === '--project') draft.project = value;
  else if (flag === '--gpu') set(putGpus(draft.spec, value), `'${value}' is no amount of GPUs`);
  else if (plain) draft.spec = put(draft.spec, plain, value);
  else if (number) set(Number.isFinite(Number(value)) ? put(draft.spec, number, Number(value)) : null, `'${value}' is no number`);
  else if (flag === '--pool') draft.spec = put(draft.spec, 'nodePools', value.split(',').filter(Boolean));
  else if (flag === '--time') set(seconds(value) === null ? null : put(draft.spec, 'timeLimitSeconds', seconds(value)), `'${value}' is no time; write 90m or 2h`);
  else if (flag === '--port') set(Number(value) > 0 ? append(draft.spec, 'ports', { container: Number(value), serviceType: 'ClusterIP' }) : null, `'${value}' is no port`);
  else if (flag === '--env') {
    const cut = value.indexOf('=');
    set(cut > 0 ? append(draft.spec, 'environmentVariables', { name: value.slice(0, cut), value: value.slice(cut + 1) }) : null, 'write NAME=VALUE');
  } else if (['--mount', '--nfs', '--pvc'].includes(flag)) set(takeMount(draft.spec, flag, value), `'${value}' is not understood`);
  else reading.error = `${flag} is not known here`;
}

function takeFlags(words: string[], reading: Reading): number {
  let i = 0;
  for (; i < words.length && !reading.error; i++) {
    const word = words[i] as string;
    if (word === '--') return i + 1;
    if (!word.startsWith('-')) return i;
    const [head = '', glued] = word.startsWith('--') && word.includes('=') ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word];
    const flag = SHORT[head] ?? head;
    const simple = SWITCHES[flag];
    if (simple) reading.draft.spec = putAll(reading.draft.spec, simple);
    else if (glued === undefined && i + 1 >= words.length) reading.error = `${head} needs a value`;
    else takeValue(reading, flag, glued ?? (words[++i] as string));
  }
  return i;
}

/** Starts from nothing: what the line does not say is not in the draft. */
export function fromCli(line: string): Parsed {
  const words = split(line);
  if (!words) return { ok: false, message: 'a quote is not closed' };
  if (!['gpuyard', 'gy'].includes(words[0] ?? '') || !['submit', 'dev', 'run'].includes(words[1] ?? '')) {
    return { ok: false, message: 'the line must begin with gpuyard submit or gpuyard dev' };
  }
  const reading: Reading = { draft: { type: words[1] === 'dev' ? 'Workspace' : 'Training', name: '', project: '', spec: {} }, error: null };
  const rest = words.slice(2);
  const end = takeFlags(rest, reading);
  if (reading.error) return { ok: false, message: reading.error };
  const command = rest.slice(end).map(quote).join(' ');
  const into = rest.slice(0, end).includes('--args') ? 'args' : 'command';
  reading.draft.spec = put(reading.draft.spec, into, command);
  if (at(reading.draft.spec, 'numWorkers')) reading.draft.type = 'Distributed';
  return { ok: true, draft: reading.draft };
}
