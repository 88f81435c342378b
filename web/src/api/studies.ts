// Studies: what the pages about them read and change.
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, getPage, type Query, type Schemas } from '@/api/client';
import { extended, firstOpen, type Trials } from '@/api/trials';

export type Study = Schemas['Study'];
export type StudySpec = Schemas['StudySpec'];
export type StudyParameter = Schemas['StudyParameter'];
export type Trial = Schemas['StudyTrial'];

/** How often a page asks again while a study goes on; less often where the answer is large. */
const LIVE = 3000;
const SLOW = 15_000;
const MANY = 10_000;
export const goesOn = (study: Study | undefined) => study?.state === 'Running' || (study?.trials.running ?? 0) > 0;

/** GPU-hours are counted of workloads; of trials that programs run elsewhere nobody knows them. */
export const gpuHoursOf = (study: Pick<Study, 'spec' | 'gpuHours'>): number | null => (study.spec.workload || study.gpuHours > 0 ? study.gpuHours : null);

const path = (id: string, rest = '') => `/api/v1/studies/${id}${rest}`;

export const studies = {
  list: (query: Query) =>
    queryOptions({
      queryKey: ['study', 'list', query],
      queryFn: ({ signal }) => getPage<Schemas['StudyList']>('/api/v1/studies', query, signal),
      placeholderData: keepPreviousData,
      refetchInterval: (asked) => (asked.state.data?.studies.some(goesOn) ? 2 * LIVE : false),
    }),
  one: (id: string) =>
    queryOptions({
      queryKey: ['study', 'one', id],
      queryFn: () => api.get<Study>(path(id)),
      refetchInterval: (asked) => (goesOn(asked.state.data) ? LIVE : false),
    }),
  /** All trials as columns; only those that may have changed are asked for again. */
  trials: (client: QueryClient, id: string, live: boolean) => {
    const queryKey = ['study', 'columns', id];
    return queryOptions({
      queryKey,
      queryFn: async ({ signal }) => {
        let all = client.getQueryData<Trials>(queryKey) ?? null;
        let from: number | undefined = all ? firstOpen(all) : 0;
        while (from !== undefined) {
          const part: Schemas['StudyColumns'] = await api.get(path(id, '/columns'), { from }, signal);
          all = extended(all, part);
          from = part.next;
        }
        return all as Trials;
      },
      structuralSharing: false,
      refetchInterval: (asked) => (live ? ((asked.state.data?.count ?? 0) > MANY ? SLOW : LIVE) : false),
    });
  },
  trial: (id: string, number: number, live: boolean) =>
    queryOptions({
      queryKey: ['study', 'trial', id, number],
      queryFn: () => api.get<Trial>(path(id, `/trials/${number}`)),
      refetchInterval: (asked) => (live && asked.state.data?.state === 'Running' ? LIVE : false),
    }),
  /** Trials with their reports, as far as one list gives them. */
  reports: (id: string, query: Query, live: boolean) =>
    queryOptions({
      queryKey: ['study', 'reports', id, query],
      queryFn: async () => (await api.get<Schemas['StudyTrialPage']>(path(id, '/trials'), query)).trials,
      placeholderData: keepPreviousData,
      refetchInterval: live ? 2 * LIVE : false,
    }),
  best: (id: string, ended: number) =>
    queryOptions({
      queryKey: ['study', 'best', id, ended],
      queryFn: () => api.get<Schemas['StudyBest']>(path(id, '/best')),
      placeholderData: keepPreviousData,
    }),
  importances: (id: string, ended: number) =>
    queryOptions({
      queryKey: ['study', 'importances', id, ended],
      queryFn: async () => (await api.get<Schemas['StudyImportances']>(path(id, '/importances'))).importances,
      placeholderData: keepPreviousData,
    }),
  next: (id: string, trials: number) =>
    queryOptions({
      queryKey: ['study', 'next', id, trials],
      queryFn: () => api.get<Schemas['StudySuggestion']>(path(id, '/next')),
    }),
};

export type Order = 'pause' | 'resume' | 'stop';
export const orderStudy = (id: string, order: Order) => api.post<Study>(path(id, `/${order}`));
export const extendStudy = (id: string, budget: Schemas['StudyBudget']) => api.post<Study>(path(id, '/extend'), budget);
export const deleteStudy = (id: string) => api.del(path(id));
export const addTrial = (id: string, body: Record<string, unknown>) => api.post<Trial>(path(id, '/trials'), body);
export const createStudy = (body: Record<string, unknown>) => api.post<Study>('/api/v1/studies', body);
