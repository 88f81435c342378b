// Who is signed in: two tokens, kept by the browser, renewed before anybody notices.
import { Store, keep, kept } from '@/lib/store';

const KEY = 'gpuyard.session';

export interface Tokens {
  access: string;
  refresh: string | null;
}

export interface Session {
  tokens: Tokens | null;
  /** Signed in before, but the server no longer takes the tokens: ask again, keep the page. */
  expired: boolean;
}

export const session = new Store<Session>({ tokens: kept<Tokens | null>(KEY, null), expired: false });

let waiting: ((signedIn: boolean) => void)[] = [];

export function signedIn(tokens: Tokens): void {
  keep(KEY, tokens);
  session.set({ tokens, expired: false });
  release(true);
}

export function signOut(): void {
  // The cookie for tools goes too; a server without it has nothing to forget.
  void fetch('/api/v1/session', { method: 'DELETE' }).catch(() => undefined);
  keep(KEY, null);
  session.set({ tokens: null, expired: false });
  release(false);
}

interface Claims {
  name?: string;
  /** Seconds. */
  exp?: number;
}

function claimsIn(token: string | undefined): Claims {
  try {
    const text = atob((token?.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'));
    return (JSON.parse(text) as Claims | null) ?? {};
  } catch {
    return {};
  }
}

/** The name in a token, before the server has said who it belongs to; for guesses only. */
export const nameIn = (token: string | undefined): string | null => claimsIn(token).name ?? null;

/** Renews a token that is over, for connections that cannot be told so and try again. */
export async function refreshIfOver(): Promise<void> {
  const access = session.get().tokens?.access;
  const { exp } = claimsIn(access);
  if (access && exp && exp * 1000 < Date.now() + 5000) await renew(access);
}

function release(ok: boolean): void {
  const all = waiting;
  waiting = [];
  for (const resolve of all) resolve(ok);
}

interface TokenAnswer {
  accessToken: string;
  refreshToken?: string;
}

async function askToken(body: Record<string, string>): Promise<Tokens> {
  const response = await fetch('/api/v1/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    const answer = (await response.json().catch(() => ({}))) as { message?: string };
    throw new SignInError(response.status, answer.message ?? `the server answered ${response.status}`);
  }
  const answer = (await response.json()) as TokenAnswer;
  return { access: answer.accessToken, refresh: answer.refreshToken ?? null };
}

export class SignInError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export async function signIn(username: string, password: string): Promise<void> {
  signedIn(await askToken({ grantType: 'password', username, password }));
}

/** What the identity provider's way back left in the address: a token that is good once, or why not. */
export async function signInFromAddress(): Promise<string | null> {
  const found = /^#(refresh|sign-in-error)=(.+)$/.exec(window.location.hash);
  if (!found) return null;
  window.history.replaceState(null, '', window.location.pathname);
  if (found[1] === 'sign-in-error') return decodeURIComponent(found[2] ?? '');
  signedIn(await askToken({ grantType: 'refresh_token', refreshToken: found[2] ?? '' }));
  return null;
}

let renewing: Promise<boolean> | null = null;

/** A new access token, or the answer of the person who is asked to sign in again. */
export function renew(stale: string | null): Promise<boolean> {
  const { tokens } = session.get();
  if (tokens && tokens.access !== stale) return Promise.resolve(true);
  renewing ??= renewOnce().finally(() => {
    renewing = null;
  });
  return renewing;
}

/** A refresh token is good once, so only one tab renews at a time; the others take what it stored. */
async function renewOnce(): Promise<boolean> {
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks;
  const before = session.get().tokens?.refresh;
  const renewAlone = (): Promise<boolean> => {
    const stored = kept<Tokens | null>(KEY, null);
    if (stored && stored.refresh !== before) {
      signedIn(stored);
      return Promise.resolve(true);
    }
    return renewNow();
  };
  return locks ? locks.request('gpuyard.renew', renewAlone) : renewAlone();
}

async function renewNow(): Promise<boolean> {
  const refreshToken = session.get().tokens?.refresh;
  if (refreshToken) {
    try {
      signedIn(await askToken({ grantType: 'refresh_token', refreshToken }));
      return true;
    } catch (error) {
      // A server in trouble has not refused anybody.
      if (!(error instanceof SignInError) || error.status >= 500) throw error;
    }
  }
  if (!session.get().tokens) return false;
  session.set({ ...session.get(), expired: true });
  return new Promise((resolve) => waiting.push(resolve));
}

// Other tabs sign in and out too.
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== KEY) return;
    const before = nameIn(session.get().tokens?.access);
    session.set({ tokens: kept<Tokens | null>(KEY, null), expired: false });
    const now = nameIn(session.get().tokens?.access);
    // Somebody else: nothing that the last one saw may stay.
    if (before && now && before !== now) window.location.reload();
    release(session.get().tokens !== null);
  });
}
