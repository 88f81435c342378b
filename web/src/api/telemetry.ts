// Present numbers and series of clusters, nodes, projects and workloads.
import { queryOptions } from '@tanstack/react-query';
import { api, type Query, type Schemas } from '@/api/client';

export interface Group {
  value: number;
  name: string;
}

const number = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : 0);

/** One number; null when the server gives none. */
export const nodeNumber = (telemetryType: string) =>
  queryOptions({
    queryKey: ['telemetry', 'nodes', telemetryType],
    queryFn: async () => {
      const answer = await api.get<Schemas['Telemetry']>('/api/v1/nodes/telemetry', { telemetryType });
      const first = answer.values[0];
      return first ? number(first.value) : null;
    },
    retry: false,
  });

const grouped = (path: string, telemetryType: string, groupBy: string) =>
  queryOptions({
    queryKey: ['telemetry', path, telemetryType, groupBy],
    queryFn: async (): Promise<Group[]> => {
      const answer = await api.get<Schemas['WorkloadTelemetry']>(path, { telemetryType, groupBy });
      return answer.values.map((v) => ({ value: number(v.value), name: v.groups?.[0]?.name || v.groups?.[0]?.value || 'all' }));
    },
    retry: false,
  });

export const nodeGroups = (type: string, by: string) => grouped('/api/v1/nodes/telemetry', type, by);
export const workloadGroups = (type: string, by: string) => grouped('/api/v1/workloads/telemetry', type, by);
export const projectGroups = (type: string, by: string) => grouped('/api/v1/org-unit/projects/telemetry', type, by);
export const departmentGroups = (type: string, by: string) => grouped('/api/v1/org-unit/departments/telemetry', type, by);

export const clusterSeries = (cluster: string, types: string[], hours: number) =>
  queryOptions({
    queryKey: ['telemetry', 'series', cluster, types, hours],
    queryFn: async () => {
      const end = new Date();
      const start = new Date(end.getTime() - hours * 3_600_000);
      const query: Query = { start: start.toISOString(), end: end.toISOString(), metricType: types, numberOfSamples: 200 };
      return (await api.get<Schemas['Measurements']>(`/api/v1/clusters/${cluster}/metrics`, query)).measurements;
    },
    enabled: cluster !== '',
    retry: false,
  });
