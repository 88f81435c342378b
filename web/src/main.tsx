import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { ApiError } from '@/api/client';
import { queries } from '@/api/queries';
import { session } from '@/api/session';
import { router } from '@/routes';
import { TipLayer } from '@/ui/tip';
import '@/style/tokens.css';
import '@/style/base.css';
import '@/style/controls.css';
import '@/style/layout.css';
import '@/style/pages.css';

// The change stream says what is stale; nothing is read again for any other reason.
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 120_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => !(error instanceof ApiError) && count < 2,
    },
  },
});

// Asked for while the page's own code is still on its way.
if (session.get().tokens) {
  void client.prefetchQuery(queries.me);
  void client.prefetchQuery(queries.permissions);
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} future={{ v7_startTransition: false }} />
        <TipLayer />
      </QueryClientProvider>
    </StrictMode>,
  );
}
