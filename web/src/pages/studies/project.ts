import { useQuery } from '@tanstack/react-query';
import { queries, useAllowed } from '@/api/queries';

/** Names of projects by id, as far as the signed-in person may see them. */
export function useProjectNames(): (id: string) => string {
  const allowed = useAllowed();
  const all = useQuery({ ...queries.projects, enabled: allowed('project') });
  return (id) => all.data?.find((p) => p.id === id)?.name ?? `project ${id}`;
}

export const useProjectName = (id: string) => useProjectNames()(id);
