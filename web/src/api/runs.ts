// Tracked runs: what the pages about them read and change.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, getPage, open, type Query, type Schemas } from '@/api/client';

export type Run = Schemas['Run'];
export type RunMetric = Schemas['RunMetric'];
export type RunSeries = Schemas['RunSeries'];
export type RunFile = Schemas['RunFile'];

/** How often a page asks again while a run goes on. */
const LIVE = 3000;
export const goesOn = (run: Run | undefined) => run?.status === 'RUNNING' || run?.status === 'SCHEDULED';

export const runs = {
  list: (query: Query) =>
    queryOptions({
      queryKey: ['run', 'list', query],
      queryFn: ({ signal }) => getPage<Schemas['RunList']>('/api/v1/runs', query, signal),
      placeholderData: keepPreviousData,
      refetchInterval: (asked) => (asked.state.data?.runs.some(goesOn) ? 2 * LIVE : false),
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['run', 'one', id],
      queryFn: () => api.get<Run>(`/api/v1/runs/${id}`),
      refetchInterval: (asked) => (goesOn(asked.state.data) ? LIVE : false),
    }),
  charts: (ids: string[], metrics: string[], axis: 'step' | 'time', live: boolean) =>
    queryOptions({
      queryKey: ['run', 'charts', ids, metrics, axis],
      queryFn: async () => (await api.post<Schemas['RunCharts']>('/api/v1/runs/charts', { runs: ids, metrics, axis, pixels: 400 })).series,
      enabled: ids.length > 0 && metrics.length > 0,
      placeholderData: keepPreviousData,
      refetchInterval: live ? LIVE : false,
    }),
  files: (id: string, path: string) =>
    queryOptions({
      queryKey: ['run', 'files', id, path],
      queryFn: async () => (await api.get<Schemas['RunFileList']>(`/api/v1/runs/${id}/artifacts`, { path })).files,
    }),
  experiments: (projectId: string) =>
    queryOptions({
      queryKey: ['experiment', projectId],
      queryFn: async () => (await api.get<Schemas['ExperimentList']>('/api/v1/experiments', { projectId })).experiments,
    }),
};

export const tagRuns = (ids: string[], change: { set?: Record<string, string>; remove?: string[] }) => api.post('/api/v1/runs/tags', { ids, ...change });
export const deleteRun = (id: string) => api.del(`/api/v1/runs/${id}`);
export const restoreRun = (id: string) => api.post(`/api/v1/runs/${id}/restore`);
export const openFile = (id: string, path: string, most?: number) =>
  open('GET', `/api/v1/runs/${id}/artifacts/file`, { query: { path }, ...(most ? { headers: { Range: `bytes=0-${most - 1}` } } : {}) });

/** Metrics of a run by name. */
export const metricsOf = (run: Run): Map<string, RunMetric> => new Map(run.metrics.map((m) => [m.name, m]));
