// What pages read. The first part of every key is the kind that the change stream names.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, getPage, wholeList, type Query, type Schemas } from '@/api/client';
import { keep, kept } from '@/lib/store';

export type Workload = Schemas['Workload'];
export type WorkloadDetails = Schemas['WorkloadDetails'];
export type Project = Schemas['Project'];
export type Department = Schemas['Department'];
export type Node = Schemas['Node'];
export type NodePool = Schemas['NodePool'];
export type Cluster = Schemas['Cluster'];
export type Me = Schemas['Me'];
export type Permission = Schemas['Permission'];

export const queries = {
  me: queryOptions({ queryKey: ['me'], queryFn: () => api.get<Me>('/api/v1/me') }),
  permissions: queryOptions({
    queryKey: ['me', 'permissions'],
    queryFn: () => api.get<Permission[]>('/api/v1/authorization/permissions'),
  }),
  version: queryOptions({
    queryKey: ['version'],
    queryFn: () => api.get<Schemas['Version']>('/api/v1/version'),
    staleTime: Infinity,
  }),
  clusters: queryOptions({ queryKey: ['cluster'], queryFn: () => api.get<Cluster[]>('/api/v1/clusters') }),
  projects: queryOptions({
    queryKey: ['project', 'all'],
    queryFn: () => wholeList(async (part) => (await api.get<Schemas['ProjectList']>('/api/v1/org-unit/projects', { ...part, sortBy: 'name' })).projects),
  }),
  departments: queryOptions({
    queryKey: ['department', 'all'],
    queryFn: () => wholeList(async (part) => (await api.get<Schemas['DepartmentList']>('/api/v1/org-unit/departments', { ...part, sortBy: 'name' })).departments),
  }),
  nodePools: queryOptions({
    queryKey: ['node-pool', 'all'],
    queryFn: () => wholeList(async (part) => (await api.get<{ nodepools: NodePool[] }>('/api/v1/node-pools', { ...part })).nodepools),
  }),
  users: queryOptions({ queryKey: ['user', 'all'], queryFn: () => wholeList((part) => api.get<Schemas['User'][]>('/api/v1/users', { ...part })) }),
  accessRules: queryOptions({
    queryKey: ['access-rule', 'all'],
    queryFn: () => wholeList(async (part) => (await api.get<Schemas['AccessRuleList']>('/api/v1/authorization/access-rules', { ...part })).accessRules),
  }),
  workloads: (query: Query) =>
    queryOptions({
      queryKey: ['workload', 'list', query],
      queryFn: ({ signal }) => getPage<Schemas['WorkloadList']>('/api/v1/workloads', query, signal),
      placeholderData: keepPreviousData,
    }),
  nodes: (search: string, offset: number, limit: number) =>
    queryOptions({
      queryKey: ['node', 'list', search, offset, limit],
      queryFn: ({ signal }) => getPage<Schemas['NodeList']>('/api/v1/nodes', { search, offset, limit, sortBy: 'name' }, signal),
      placeholderData: keepPreviousData,
    }),
  workload: (id: string) =>
    queryOptions({
      queryKey: ['workload', 'one', id],
      queryFn: () => api.get<WorkloadDetails>(`/api/v1/workloads/${id}`),
    }),
};

/** What the signed-in person may do somewhere; the server decides again on each request. */
export function useAllowed(): (resource: string, action?: string) => boolean {
  const { data } = useQuery(queries.permissions);
  return (resource, action = 'read') =>
    data?.some((p) => p.resourceType === resource && (p.actions as string[]).includes(action)) ?? false;
}

const WORK = ['workloads', 'workspaces', 'trainings', 'inferences'];
const SEES = 'gpuyard.sees-work';

/** Whether work may be asked for at all; false until the permissions are known. */
export function useSeesWork(): boolean {
  const { data } = useQuery(queries.permissions);
  const sees = data?.some((p) => WORK.includes(p.resourceType) && (p.actions as string[]).includes('read')) ?? false;
  useEffect(() => {
    if (data) keep(SEES, sees);
  }, [data, sees]);
  return sees;
}

/** The answer of the last time, for what is asked before the permissions are there. */
export const sawWork = (): boolean => kept(SEES, false);
