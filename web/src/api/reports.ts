// Reports about runs, and the saved ways to look at runs.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, getPage, type Query, type Schemas } from '@/api/client';

export type Report = Schemas['Report'];
export type ReportEntry = Schemas['ReportEntry'];
export type SavedView = Schemas['RunView'];
export type ViewPage = SavedView['page'];

export const reports = {
  list: (query: Query) =>
    queryOptions({
      queryKey: ['report', 'list', query],
      queryFn: ({ signal }) => getPage<Schemas['ReportList']>('/api/v1/reports', query, signal),
      placeholderData: keepPreviousData,
    }),
  one: (id: string) => queryOptions({ queryKey: ['report', 'one', id], queryFn: () => api.get<Report>(`/api/v1/reports/${id}`) }),
};

export const createReport = (report: { projectId: number; title: string; text: string }) => api.post<Report>('/api/v1/reports', report);
export const changeReport = (id: string, change: { title: string; text: string; revision: number }) => api.put<Report>(`/api/v1/reports/${id}`, change);
export const deleteReport = (id: string) => api.del(`/api/v1/reports/${id}`);

export const savedViews = (page: ViewPage, projectId: string) =>
  queryOptions({
    queryKey: ['run-view', page, projectId],
    queryFn: async () => (await api.get<Schemas['RunViewList']>('/api/v1/run-views', { page, projectId })).views,
  });
export const saveView = (view: { projectId: number; name: string; page: ViewPage; query: string }) => api.post<SavedView>('/api/v1/run-views', view);
export const deleteView = (id: string) => api.del(`/api/v1/run-views/${id}`);
