// Every address of the dashboard. Pages are loaded when they are first opened.
import type { ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router-dom';
import { App } from '@/shell/app';
import { Broken, NotFound } from '@/shell/broken';

type Loader = () => Promise<{ default: ComponentType }>;

const page = (path: string, load: Loader): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default }),
});

const pages: RouteObject[] = [
  { index: true, element: <Navigate to="/my-work" replace /> },
  page('my-work', () => import('@/pages/my-work/page')),
  page('workloads', () => import('@/pages/workloads/page')),
  page('workloads/new', () => import('@/pages/new-workload/page')),
  page('workloads/:id', () => import('@/pages/workload/page')),
];

export const router = createBrowserRouter(
  [
    {
      path: '/',
      element: <App />,
      errorElement: <Broken />,
      children: [{ errorElement: <Broken />, children: [...pages, { path: '*', element: <NotFound /> }] }],
    },
  ],
  {
    future: {
      v7_relativeSplatPath: true,
      v7_fetcherPersist: true,
      v7_normalizeFormMethod: true,
      v7_partialHydration: true,
      v7_skipActionErrorRevalidation: true,
    },
  },
);
