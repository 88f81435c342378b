import { short } from '@/lib/time';

// The scheduler's reasons in a few words; a reason that is not known here is shown as the server says it.
const WORDS: Record<string, string> = {
  StartsNow: 'Starts now',
  PlaceHeld: 'Place held for it',
  Held: 'Held back',
  NoPool: 'No node pool',
  QueueBlocked: 'Queue is blocked',
  OverLimit: 'Limit reached',
  NonPreemptibleOverQuota: 'Quota used up',
  UserGpuCap: 'Your GPU cap',
  UserInteractiveCap: 'Your cap on workspaces',
  ProjectInteractiveCap: 'Cap on workspaces',
  NoNodes: 'No node in service',
  Model: 'GPU model',
  Labels: 'Node labels',
  Taints: 'Node taints',
  NodeTooSmall: 'Nodes too small',
  Gpus: 'Free GPUs',
  Fragmented: 'GPUs on one node',
  Cpu: 'Free CPUs',
  Memory: 'Free memory',
  Extended: 'Other resources',
  Gang: 'Room for all tasks',
  Topology: 'Nodes close together',
  Reserved: 'Reserved for others',
  Backfill: 'Work ahead of it',
  Behind: 'Work ahead of it',
  OutOfService: 'Machines out of service',
  PreemptionOff: 'Preemption is off',
  Guarded: 'Running work is guarded',
  Dependency: 'Work it depends on',
};

/** Reasons that no waiting ends: another request, or another machine, is needed. */
const LASTING = ['NodeTooSmall', 'Model', 'Labels', 'Taints', 'NoPool'];
export const isLasting = (reason: string) => LASTING.includes(reason);

export const reasonWords = (reason: string) => WORDS[reason] ?? reason;

// Messages of engines in the words that people know.
const MESSAGES: [RegExp, string][] = [
  [/^the command ended well\.?$/i, 'Succeeded'],
  [/^it used too much memory\.?$/i, 'Out of memory'],
  [/^Told to stop since its node is drained\.?/i, 'Stopped: its node is drained.'],
  [/^Told to stop by the rule (\S+) for work of another project\.?$/i, 'Preempted for another project ($1)'],
  [/^Told to stop by the rule (\S+) for ([^.]+)\.?$/i, 'Preempted for $2 ($1)'],
  [/^the command exited with code (\d+)\.?$/i, 'Exit code $1'],
];

export function messageWords(message: string | null | undefined): string {
  const text = message ?? '';
  const known = MESSAGES.find(([pattern]) => pattern.test(text));
  const words = known ? text.replace(known[0], known[1]) : text;
  return words
    .replace(/\b(\d+(?:\.\d+)?) GPU\b(?!s)/g, (all, count) => (Number(count) === 1 ? all : `${count} GPUs`))
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (at) => short(Date.parse(at), Date.now()));
}

/** What the status alone does not say. */
export const moreThanStatus = (message: string | null | undefined): string => ((words) => (/^(running|completed|succeeded)\.?$/i.test(words) ? '' : words))(messageWords(message));
