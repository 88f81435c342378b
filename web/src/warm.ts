// What the first page is going to ask for, asked while its code is still on its way. The keys are
// those of the pages: what is not used is forgotten.
import type { QueryClient } from '@tanstack/react-query';
import { engine } from '@/api/engine';
import { queries, sawWork } from '@/api/queries';
import { session } from '@/api/session';
import { within } from '@/lib/place';
import { projectOf } from '@/shell/project';
import { myWork } from '@/pages/my-work/query';
import { stateOf, workloadsQuery } from '@/pages/workloads/query';

function pageQueries(location: Location, client: QueryClient): void {
  const { search } = location;
  const pathname = within(location.pathname);
  const params = new URLSearchParams(search);
  // Somebody without a project would be refused.
  if (!sawWork()) return;
  if (pathname === '/workloads') void client.prefetchQuery(queries.workloads({ ...workloadsQuery(stateOf(params), projectOf(search)) }));
  else if (pathname === '/queue') void client.prefetchQuery(engine.queue);
  else if (pathname === '/my-work' || pathname === '/') {
    const name = session.get().account?.name;
    const project = projectOf(search);
    if (name) for (const part of ['running', 'waiting', 'failed', 'ended'] as const) void client.prefetchQuery(myWork(part, name, project, Date.now()));
    void client.prefetchQuery(engine.gpuCounts);
  } else if (pathname === '/nodes' && search === '') {
    void client.prefetchQuery(queries.nodes('', 0, 50));
    void client.prefetchQuery(engine.gpus({ search: '', offset: 0, limit: 50 }));
  }
}

export function warm(client: QueryClient, location: Location): void {
  if (!session.get().account) return;
  void client.prefetchQuery(queries.me);
  void client.prefetchQuery(queries.permissions);
  pageQueries(location, client);
}
