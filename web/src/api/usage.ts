// Reports on who held and used how much, within what the signed-in person may see.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '@/api/client';

export type Report = Schemas['UsageReport'];
export type ReportRow = Schemas['UsageReportRow'];
export type Step = Schemas['UsageStep'];
export type By = 'user' | 'project' | 'department';

/** Milliseconds. */
export interface Period {
  start: number;
  end: number;
}

const times = ({ start, end }: Period) => ({ start: new Date(start).toISOString(), end: new Date(end).toISOString() });

// The end is "now" most of the time, so the key is what was chosen, not the moment it was asked.
export const usageReport = (by: By, project: string | undefined, key: string, period: () => Period) =>
  queryOptions({
    queryKey: ['usage-report', 'rows', by, project, key],
    queryFn: ({ signal }) => api.get<Report>('/api/v1/usage/report', { by, projectName: project, ...times(period()) }, signal),
    placeholderData: keepPreviousData,
  });

export const usageSeries = (project: string | undefined, key: string, period: () => Period) =>
  queryOptions({
    queryKey: ['usage-report', 'series', project, key],
    queryFn: async ({ signal }) => (await api.get<Schemas['UsageSeries']>('/api/v1/usage/series', { projectName: project, numberOfSamples: 120, ...times(period()) }, signal)).steps,
    placeholderData: keepPreviousData,
  });
