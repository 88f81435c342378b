import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { toolLink } from '@/api/engine';
import { Failed, Skeleton } from '@/ui/state';

/** On the way to a tool of a workload, which has an origin of its own. */
export default function OpenTool() {
  const { search } = useLocation();
  const tool = new URLSearchParams(search).get('tool') ?? '';
  // A link is good once, so it is never taken from the cache.
  const link = useQuery({ queryKey: ['tool-link', tool], queryFn: () => toolLink(tool), retry: false, gcTime: 0, staleTime: Infinity, refetchOnWindowFocus: false });
  useEffect(() => {
    if (link.data) window.location.replace(link.data);
  }, [link.data]);
  return link.isError ? <Failed error={link.error} what="the tool" retry={() => void link.refetch()} /> : <Skeleton />;
}
