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

async function renewOnce(): Promise<boolean> {
  const refreshToken = session.get().tokens?.refresh;
  if (refreshToken) {
    try {
      signedIn(await askToken({ grantType: 'refresh_token', refreshToken }));
      return true;
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
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
    session.set({ tokens: kept<Tokens | null>(KEY, null), expired: false });
    release(session.get().tokens !== null);
  });
}
