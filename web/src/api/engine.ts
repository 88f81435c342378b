// Running work: attempts, why, usage, queue, GPUs. A server without an engine lacks these routes.
import { queryOptions } from '@tanstack/react-query';
import { api, ApiError, type Schemas } from '@/api/client';

export interface Alternative {
  change: string;
  outcome: string;
}

export interface Why {
  reason: string;
  message: string;
  further: string[];
  nodes: { node: string; missing: string }[];
  alternatives: Alternative[];
  ahead: string[];
  position?: number | null;
  earliest?: string | null;
  latest?: string | null;
  basis?: string;
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

export interface QueueLine {
  workloadId: string;
  name: string;
  projectName: string;
  userName: string;
  position: number;
  reason: string;
  earliest?: string | null;
  latest?: string | null;
  gpu?: number | null;
}

export interface Gpu {
  uuid: string;
  node: string;
  model: string;
  memory: number | string | null;
  declared: boolean;
  fault?: string | null;
  /** Memory that processes of others use. */
  foreign?: string | null;
  busyPercent?: number | null;
  used?: number | string | null;
  workloads: { id: string; name: string; part?: number | null }[];
}

const of = (id: string) => `/api/v1/workloads/${id}`;

export const engine = {
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
  gpus: queryOptions({ queryKey: ['gpu'], queryFn: async () => (await api.get<{ gpus: Gpu[] }>('/api/v1/gpus')).gpus }),
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

/** Lets the browser open tools of workloads: a cookie for the server's proxy. */
export const toolSession = queryOptions({
  queryKey: ['session'],
  queryFn: () => api.post<null>('/api/v1/session').then(() => true),
  retry: false,
  staleTime: 10 * 60_000,
});

export const dryRun = (type: string, workload: unknown) => api.post<Why>('/api/v1/workloads/dry-run', { type, workload });

export const act = {
  hold: (id: string) => api.post(`${of(id)}/hold`),
  release: (id: string) => api.post(`${of(id)}/release`),
  rerun: (id: string) => api.post<{ workloadId?: string; id?: string }>(`${of(id)}/rerun`),
  extend: (id: string, seconds: number) => api.post(`${of(id)}/extend`, { seconds }),
  drain: (node: string, reason: string) => api.post(`/api/v1/nodes/${node}/drain`, { reason }),
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
