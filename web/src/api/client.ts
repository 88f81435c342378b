// One door to the API: says who asks, renews the session, turns refusals into one kind of error.
import { pageHeaders, renew, session } from '@/api/session';
import type { components } from '@/api/types';
import { here } from '@/lib/place';

export type Schemas = components['schemas'];

export interface Issue {
  field: string;
  details: string;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: string = '',
    readonly issues: Issue[] = [],
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** The server is older than the page and has no such route, or it runs without an engine. */
  get notOffered(): boolean {
    return this.status === 501 || this.status === 503 || this.status === 405 || (this.status === 404 && /^there is nothing at /.test(this.message));
  }
}

export class Unreachable extends Error {
  constructor() {
    super('The server cannot be reached.');
    this.name = 'Unreachable';
  }
}

export const isNotOffered = (error: unknown) => error instanceof ApiError && error.notOffered;
export const isForbidden = (error: unknown) => error instanceof ApiError && error.status === 403;

type QueryValue = string | number | boolean | undefined | null | string[];
export type Query = Record<string, QueryValue>;

export function withQuery(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(key, String(one));
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

export interface Options {
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

const renewed = (stale: number | null) =>
  renew(stale).catch(() => {
    throw new Unreachable();
  });

async function send(method: string, path: string, options: Options): Promise<Response> {
  const expires = session.get().account?.expires ?? null;
  const headers: Record<string, string> = { ...options.headers, ...pageHeaders() };
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(here(withQuery(path, options.query)), {
    method,
    headers,
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: options.signal,
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable();
  });
  // A gateway in front of a server that is away.
  if (response.status === 502 || response.status === 504) throw new Unreachable();
  if (response.status === 401 && (await renewed(expires))) return send(method, path, options);
  return response;
}

export async function errorOf(response: Response): Promise<ApiError> {
  const answer = (await response.json().catch(() => ({}))) as Partial<Schemas['Error']>;
  const message = answer.message ?? `the server answered ${response.status}`;
  return new ApiError(response.status, message, answer.details, (answer.complianceIssues ?? []) as Issue[]);
}

/** The raw answer, for streams and files; refusals are thrown. */
export async function open(method: string, path: string, options: Options = {}): Promise<Response> {
  const response = await send(method, path, options);
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function call<T>(method: string, path: string, options: Options): Promise<T> {
  const response = await open(method, path, options);
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as T;
}

/** A page of a list, with how many match on all pages where the server says so. */
export async function getPage<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T & { total?: number }> {
  const response = await open('GET', path, { query, signal });
  const total = response.headers.get('Gpuyard-Total');
  return { ...((await response.json()) as T), ...(total === null ? {} : { total: Number(total) }) };
}

const MOST_ROWS = 500; // that the server gives at once

/** Every row of a list of which the server gives a part at a time; a part that is not full is the last. */
export async function wholeList<T>(ask: (part: { offset: number; limit: number }) => Promise<T[]>): Promise<T[]> {
  const rows: T[] = [];
  for (;;) {
    const part = await ask({ offset: rows.length, limit: MOST_ROWS });
    rows.push(...part);
    if (part.length < MOST_ROWS) return rows;
  }
}

export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) => call<T>('GET', path, { query, signal }),
  post: <T>(path: string, body?: unknown, query?: Query) => call<T>('POST', path, { body, query }),
  put: <T>(path: string, body?: unknown, query?: Query) => call<T>('PUT', path, { body, query }),
  patch: <T>(path: string, body?: unknown) => call<T>('PATCH', path, { body }),
  del: <T>(path: string, query?: Query) => call<T>('DELETE', path, { query }),
};
