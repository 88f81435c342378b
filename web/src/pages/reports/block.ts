// The chart block of a report: lines of `name: value` between ```chart and ```. Pure.
import type { Axis } from '@/pages/runs/lines';

export type ChartKind = 'line' | 'bar' | 'scatter';

export interface ChartBlock {
  kind: ChartKind;
  title: string;
  /** Names or ids of runs; without any, the filter chooses. */
  runs: string[];
  filter: string;
  experiment: string;
  sort: string;
  limit: number;
  metrics: string[];
  /** Of a scatter chart: what stands along the lower axis. */
  x: string;
  group: string;
  axis: Axis;
  smoothing: number;
  log: boolean;
  logX: boolean;
}

export type ReadBlock = { chart: ChartBlock; problems: string[] };

const MOST_RUNS = 50;
const MOST_METRICS = 8;
const AXES: Record<string, Axis> = { step: 'step', 'run time': 'relative', clock: 'time', 'gpu-hours': 'gpu' };

const usual = (): ChartBlock => ({ kind: 'line', title: '', runs: [], filter: '', experiment: '', sort: '-startedAt', limit: 10, metrics: [], x: '', group: '', axis: 'step', smoothing: 0, log: false, logX: false });
const parts = (text: string) => text.split(',').map((part) => part.trim()).filter(Boolean);
const isYes = (text: string) => /^(yes|true|1|on)$/i.test(text);

type Take = (chart: ChartBlock, value: string) => string | void;

const TAKES: Record<string, Take> = {
  kind: (c, v) => {
    if (v !== 'line' && v !== 'bar' && v !== 'scatter') return 'kind is line, bar or scatter';
    c.kind = v;
  },
  title: (c, v) => void (c.title = v),
  metric: (c, v) => void c.metrics.push(...parts(v)),
  runs: (c, v) => void c.runs.push(...parts(v)),
  filter: (c, v) => void (c.filter = v),
  experiment: (c, v) => void (c.experiment = v),
  sort: (c, v) => void (c.sort = v),
  x: (c, v) => void (c.x = v),
  group: (c, v) => void (c.group = v),
  log: (c, v) => void (c.log = isYes(v)),
  'log x': (c, v) => void (c.logX = isYes(v)),
  limit: (c, v) => {
    const number = Number(v);
    if (!Number.isInteger(number) || number < 1 || number > MOST_RUNS) return `limit is a number from 1 to ${MOST_RUNS}`;
    c.limit = number;
  },
  smoothing: (c, v) => {
    const number = Number(v);
    if (!(number >= 0 && number < 1)) return 'smoothing is a number from 0 to 0.99';
    c.smoothing = number;
  },
  by: (c, v) => {
    const axis = AXES[v.toLowerCase()];
    if (!axis) return `by is one of ${Object.keys(AXES).join(', ')}`;
    c.axis = axis;
  },
};
const ALSO: Record<string, string> = { metrics: 'metric', run: 'runs', 'log-x': 'log x', 'group by': 'group' };

function check(chart: ChartBlock): string[] {
  const problems: string[] = [];
  if (chart.metrics.length === 0) problems.push('it names no metric: write “metric: loss”');
  if (chart.metrics.length > MOST_METRICS) problems.push(`it names more than ${MOST_METRICS} metrics`);
  if (chart.runs.length > MOST_RUNS) problems.push(`it names more than ${MOST_RUNS} runs`);
  if (chart.kind === 'scatter' && !chart.x) problems.push('a scatter chart needs “x: params.NAME”');
  return problems;
}

/** Reads a block; what cannot be read is named, so that its author can mend it. */
export function readBlock(text: string): ReadBlock {
  const chart = usual();
  const problems: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const at = line.indexOf(':');
    const name = line.slice(0, at < 0 ? undefined : at).trim().toLowerCase();
    const take = Object.hasOwn(TAKES, name) ? TAKES[name] : Object.hasOwn(ALSO, name) ? TAKES[ALSO[name] as string] : undefined;
    if (at < 0 || !take) problems.push(`“${name}” means nothing here; there are ${Object.keys(TAKES).join(', ')}`);
    else {
      const problem = take(chart, line.slice(at + 1).trim());
      if (problem) problems.push(problem);
    }
  }
  return { chart, problems: [...problems, ...check(chart)] };
}

const yes = (on: boolean) => (on ? 'yes' : '');

/** The same as text; what is usual is left out. */
export function writeBlock(chart: Partial<ChartBlock>): string {
  const all = { ...usual(), ...chart };
  const axis = Object.entries(AXES).find(([, one]) => one === all.axis)?.[0] ?? 'step';
  const lines: [string, string][] = [
    ['kind', all.kind === 'line' ? '' : all.kind],
    ['title', all.title],
    ['metric', all.metrics.join(', ')],
    ['x', all.x],
    ['runs', all.runs.join(', ')],
    ['experiment', all.experiment],
    ['filter', all.filter],
    ['sort', all.runs.length > 0 || all.sort === '-startedAt' ? '' : all.sort],
    ['limit', all.runs.length > 0 || all.limit === 10 ? '' : String(all.limit)],
    ['group', all.group],
    ['by', axis === 'step' ? '' : axis],
    ['smoothing', all.smoothing > 0 ? String(all.smoothing) : ''],
    ['log', yes(all.log)],
    ['log x', yes(all.logX)],
  ];
  return ['```chart', ...lines.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`), '```'].join('\n');
}
