// Every address of the dashboard. Pages are loaded when they are first opened.
import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, useLocation, type RouteObject } from 'react-router-dom';
import { PLACE } from '@/lib/place';
import { App } from '@/shell/app';
import { Broken, Coming, NotFound } from '@/shell/broken';

type Loader = () => Promise<{ default: ComponentType }>;

const page = (path: string, load: Loader): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default }),
});

/** Tools were once here: whoever kept such an address is led to where they are now. */
function FormerTool() {
  const { pathname, search } = useLocation();
  return <Navigate to={`/open?tool=${encodeURIComponent(pathname + search)}`} replace />;
}

const pages: RouteObject[] = [
  { index: true, element: <Navigate to="/my-work" replace /> },
  page('my-work', () => import('@/pages/my-work/page')),
  page('workloads', () => import('@/pages/workloads/page')),
  page('workloads/new', () => import('@/pages/new-workload/page')),
  page('workloads/:id', () => import('@/pages/workload/page')),
  page('runs', () => import('@/pages/runs/page')),
  page('runs/compare', () => import('@/pages/runs/compare')),
  page('runs/:id', () => import('@/pages/runs/run')),
  page('reports', () => import('@/pages/reports/page')),
  page('reports/:id', () => import('@/pages/reports/report')),
  page('studies', () => import('@/pages/studies/page')),
  page('studies/new', () => import('@/pages/studies/new')),
  page('studies/:id', () => import('@/pages/studies/study')),
  page('queue', () => import('@/pages/queue/page')),
  page('overview', () => import('@/pages/overview/page')),
  page('nodes', () => import('@/pages/nodes/page')),
  page('nodes/:name', () => import('@/pages/objects/node')),
  page('timeline', () => import('@/pages/timeline/page')),
  page('reservations', () => import('@/pages/reservations/page')),
  page('reservations/:id', () => import('@/pages/objects/reservation')),
  page('node-pools', () => import('@/pages/node-pools/page')),
  page('node-pools/:name', () => import('@/pages/objects/pool')),
  page('projects', () => import('@/pages/projects/page')),
  page('projects/:id', () => import('@/pages/objects/project')),
  page('departments', () => import('@/pages/departments/page')),
  page('users', () => import('@/pages/users/page')),
  page('users/:name', () => import('@/pages/objects/person')),
  page('applications', () => import('@/pages/applications/page')),
  page('roles', () => import('@/pages/roles/page')),
  page('access-rules', () => import('@/pages/access-rules/page')),
  page('policies', () => import('@/pages/policies/page')),
  page('notifications', () => import('@/pages/notifications/page')),
  page('environments', () => import('@/pages/assets/environments')),
  page('environments/:id', () => import('@/pages/objects/environment')),
  page('compute', () => import('@/pages/assets/compute')),
  page('data-sources', () => import('@/pages/assets/data-sources')),
  page('credentials', () => import('@/pages/assets/credentials')),
  page('templates', () => import('@/pages/assets/templates')),
  page('analytics', () => import('@/pages/analytics/page')),
  page('audit', () => import('@/pages/audit/page')),
  page('account', () => import('@/pages/account/page')),
  page('open', () => import('@/pages/open/page')),
  { path: ':project/:workload/*', element: <FormerTool /> },
];

export const router = createBrowserRouter(
  [
    // Open without signing in.
    { errorElement: <Broken />, hydrateFallbackElement: <Coming />, children: [page('docs', () => import('@/pages/docs/page')), page('docs/:chapter', () => import('@/pages/docs/page'))] },
    {
      path: '/',
      element: <App />,
      errorElement: <Broken />,
      // The frame is drawn and asks for what it shows while the first page's code is on its way.
      children: [{ errorElement: <Broken />, hydrateFallbackElement: <Coming />, children: [...pages, { path: '*', element: <NotFound /> }] }],
    },
  ],
  {
    basename: PLACE || '/',
    future: {
      v7_relativeSplatPath: true,
      v7_fetcherPersist: true,
      v7_normalizeFormMethod: true,
      v7_partialHydration: true,
      v7_skipActionErrorRevalidation: true,
    },
  },
);
