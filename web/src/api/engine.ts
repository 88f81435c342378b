// Running work: attempts, why, usage, queue, GPUs. A server without an engine lacks these routes.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, ApiError, type Schemas } from '@/api/client';

export interface Alternative {
  change: string;
  outcome: string;
  kind: string;
  value: string;
  /** The command that makes the change; empty if there is none. */
  command: string;
  /** What it costs others: "stops run-7 of bob, 5 h 29 m of work". */
  price: string[];
}

/** Running work that holds what is missing; without a name if the caller may not see it. */
export interface Holder {
  workload?: string | null;
  user?: string | null;
  project?: string | null;
  amount: string;
}

export interface Why {
  reason: string;
  message: string;
  /** Not even if nothing else ran. */
  never: boolean;
  further: string[];
  holders: Holder[];
  nodes: { node: string; missing: string }[];
  alternatives: Alternative[];
  ahead: string[];
  position?: number | null;
  /** Of work that starts at once: its nodes. */
  startsOn?: string[];
  earliest?: string | null;
  latest?: string | null;
  basis?: string;
  noForecast?: string;
}

export interface Attempt {
  number: number;
  id: string;
  placedAt: string;
  startedAt?: string | null;
  endedAt?: string | null;
  cause?: string | null;
  exitCode?: number | null;
  signal?: number | null;
  message?: string | null;
  nodes: string[];
  gpus: string[];
  ranks?: { node: string; gpus: string[] }[];
  residence?: 'OnGpu' | 'Leaving' | 'Away' | 'Returning';
  awaySeconds?: number;
  stop?: { cause: string; by: string; rule: string; at: string } | null;
}

export interface Amounts {
  [name: string]: number | string | null | undefined;
}
export interface Usage {
  asked: Amounts;
  used: Amounts;
  suggested: Amounts;
}

export interface GpuUse {
  workloadId: string;
  gpus: number;
  measuredGpus: number;
  busyPercent?: number | null;
}

export type QueueLine = Schemas['QueueLine'];
export type RunningLine = Schemas['RunningLine'];
export type Gpu = Schemas['GpuDevice'];
export type DrainOrder = Schemas['DrainOrder'];

/** Some of the nodes, by name; without a limit all of them. */
export interface NodePage {
  search?: string;
  offset?: number;
  limit?: number;
}

const of = (id: string) => `/api/v1/workloads/${id}`;

export const engine = {
  abilities: queryOptions({ queryKey: ['engine'], queryFn: () => api.get<Schemas['EngineAbilities']>('/api/v1/engine'), staleTime: 10 * 60_000 }),
  why: (id: string) => queryOptions({ queryKey: ['why', id], queryFn: () => api.get<Why>(`${of(id)}/why`) }),
  attempts: (id: string) =>
    queryOptions({
      queryKey: ['attempts', id],
      queryFn: async () => (await api.get<{ attempts: Attempt[] }>(`${of(id)}/attempts`)).attempts,
    }),
  usage: (id: string) => queryOptions({ queryKey: ['workload', 'usage', id], queryFn: () => api.get<Usage>(`${of(id)}/usage`) }),
  queue: queryOptions({
    queryKey: ['queue'],
    queryFn: async () => (await api.get<{ queue: QueueLine[] }>('/api/v1/queue')).queue,
  }),
  running: queryOptions({
    queryKey: ['queue', 'running'],
    queryFn: async () => (await api.get<Schemas['RunningOrder']>('/api/v1/queue/running')).running,
  }),
  gpus: ({ search, offset, limit }: NodePage) =>
    queryOptions({
      queryKey: ['gpu', search, offset, limit],
      queryFn: async ({ signal }) => (await api.get<Schemas['GpuList']>('/api/v1/gpus', { search, nodeOffset: offset, nodeLimit: limit }, signal)).gpus,
      placeholderData: keepPreviousData,
    }),
  /** How many GPUs of each model are free; everybody may ask. */
  gpuCounts: queryOptions({
    queryKey: ['gpu', 'count'],
    queryFn: async () => (await api.get<Schemas['GpuCounts']>('/api/v1/gpus/count')).models,
    retry: false,
  }),
  /** How busy the GPUs of running work are, by workload. */
  gpuUse: queryOptions({
    queryKey: ['gpu', 'use'],
    queryFn: async () => new Map((await api.get<{ workloads: GpuUse[] }>('/api/v1/gpus/use')).workloads.map((use) => [use.workloadId, use])),
    retry: false,
    refetchInterval: 20_000,
  }),
  history: (id: string) =>
    queryOptions({
      queryKey: ['workload', 'history', id],
      queryFn: async () => (await api.get<Schemas['HistoryList']>(`${of(id)}/history`, { limit: 500 })).records,
    }),
  events: (id: string) =>
    queryOptions({
      queryKey: ['workload', 'events', id],
      queryFn: async () => (await api.get<Schemas['EventList']>(`${of(id)}/events`, { limit: 500, sortOrder: 'desc' })).events,
    }),
};

/** A link that opens a tool, on the origin of the tools; good once, for a minute. */
export const toolLink = async (path: string) => (await api.post<{ url: string }>('/api/v1/tools', { path })).url;

export const dryRun = (type: string, workload: unknown) => api.post<Why>('/api/v1/workloads/dry-run', { type, workload });

export const act = {
  hold: (id: string) => api.post(`${of(id)}/hold`),
  release: (id: string) => api.post(`${of(id)}/release`),
  prioritize: (id: string, priorityClass: string) => api.post(`${of(id)}/priority`, { priorityClass }),
  park: (id: string) => api.post(`${of(id)}/park`),
  rerun: (id: string) => api.post<{ workloadId?: string; id?: string }>(`${of(id)}/rerun`),
  extend: (id: string, seconds: number) => api.post(`${of(id)}/extend`, { seconds }),
  drain: (node: string, order: DrainOrder) => api.post(`/api/v1/nodes/${node}/drain`, order),
  labelNode: (node: string, change: { set: Record<string, string>; remove: string[] }) => api.post(`/api/v1/nodes/${node}/labels`, change),
  resumeNode: (node: string) => api.post(`/api/v1/nodes/${node}/resume`),
};

/** A workload as it was submitted, by the route of its type. */
export const record = (route: string, id: string) =>
  queryOptions({
    queryKey: ['workload', 'record', id],
    queryFn: async () => {
      const answer = await api.get<Schemas['WorkloadRecord'] & { spec?: Record<string, unknown> }>(`${route}/${id}`);
      if (!answer) throw new ApiError(404, 'there is no such workload');
      return answer;
    },
  });
