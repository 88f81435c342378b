import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';
import { docs } from './site/plugin';

// The head of an answer goes out at once, as the server sends it: a log may stay empty for long.
const flush: ProxyOptions['configure'] = (made) => {
  made.on('proxyRes', (_answer, _request, response) => setImmediate(() => response.headersSent || response.flushHeaders()));
};

// The server that `npm run dev` and `npm run preview` talk to.
const server = process.env.GPUYARD_URL ?? 'http://127.0.0.1:8470';
const proxy = Object.fromEntries(
  // The last one: tools of workloads, /PROJECT/WORKLOAD/…
  ['/api', '/v1', '/openapi.json', '/healthz', '/readyz', '^/(?!assets/|src/|node_modules/|@)[a-z0-9-]+/[a-z0-9-]+/'].map((path) => [
    path,
    { target: server, ws: true, secure: false, configure: flush },
  ]),
);

// What nearly every page needs comes in one file beside the entry: as dozens of small ones it would
// be asked for only once the page's own file is there, six at a time. Charts are for few.
const COMMON = /\/src\/(ui(?!\/chart)|lib|api)\/|\/node_modules\/(@tanstack|lucide-react)\//;

// What the server itself sends with the page, so that a violation shows in the tests as well.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export default defineConfig({
  plugins: [react(), docs(fileURLToPath(new URL('../docs', import.meta.url)))],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy },
  preview: { proxy, headers: { 'Content-Security-Policy': policy } },
  // Scripts and styles name each other by relative paths: a reverse proxy may put all of them below a path
  // of its own. The server does the same with those of the page.
  experimental: { renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `/${name}` : { relative: true }) },
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rollupOptions: { output: { manualChunks: (id) => (COMMON.test(id) ? 'common' : undefined) } },
  },
});
