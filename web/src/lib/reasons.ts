// The scheduler's reasons in a few words; a reason that is not known here is shown as the server says it.
const WORDS: Record<string, string> = {
  StartsNow: 'Starts now',
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
};

export const reasonWords = (reason: string) => WORDS[reason] ?? reason;
