import { queryOptions } from '@tanstack/react-query';
import { api, type Query, type Schemas } from '@/api/client';

export const ROUTES: Record<string, string> = { workspace: 'workspaces', training: 'trainings', distributed: 'distributed', inference: 'inferences' };

export interface Place {
  scope: string;
  projectId?: number | null;
  departmentId?: string | null;
  clusterId?: string | null;
}

export const scopeQuery = (place: Place): Query => ({ scope: place.scope, projectId: place.projectId, departmentId: place.departmentId, clusterId: place.scope === 'cluster' ? place.clusterId : undefined });

export const policyQuery = (type: string, place: Place) =>
  queryOptions({
    queryKey: ['policy', 'one', type, place.scope, place.projectId, place.departmentId, place.clusterId],
    queryFn: () => api.get<Schemas['PolicyAnswer']>(`/api/v2/policy/${ROUTES[type]}`, scopeQuery(place)),
  });
