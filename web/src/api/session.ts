// Who is signed in. The tokens are in a cookie that no script can read, sealed by the server with a
// key that only the pages of this origin keep and send along: neither is worth anything alone.
import { here } from '@/lib/place';
import { Store, keep, kept } from '@/lib/store';

const KEY = 'gpuyard.session';
export const PAGE_HEADER = 'Gpuyard-Page';

export interface Account {
  /** The pages' half of the session. */
  key: string;
  name: string;
  /** Seconds since 1970: when the cookie has to be renewed. */
  expires: number;
}

export interface Session {
  account: Account | null;
  /** Signed in before, but the server no longer takes the session: ask again, keep the page. */
  expired: boolean;
}

const keptAccount = (): Account | null => {
  const account = kept<Partial<Account> | null>(KEY, null);
  return account?.key && account.name ? (account as Account) : null;
};

export const session = new Store<Session>({ account: keptAccount(), expired: false });

let waiting: ((signedIn: boolean) => void)[] = [];

/** What the server says instead of tokens. */
export interface Opened {
  name: string;
  expiresAt: number;
}

export function signedIn(opened: Opened, key: string = pageKey()): void {
  const account = { key, name: opened.name, expires: opened.expiresAt };
  keep(KEY, account);
  session.set({ account, expired: false });
  release(true);
}

export function signOut(): void {
  const headers = pageHeaders();
  // The session ends on the server, then the cookie goes.
  void fetch(here('/api/v1/me/sessions/current'), { method: 'DELETE', headers })
    .catch(() => undefined)
    .then(() => fetch(here('/api/v1/session'), { method: 'DELETE' }))
    .catch(() => undefined);
  keep(KEY, null);
  session.set({ account: null, expired: false });
  release(false);
}

const pageKey = (): string => session.get().account?.key ?? '';

/** What proves that a request comes from a page of this origin. */
export const pageHeaders = (): Record<string, string> => (pageKey() ? { [PAGE_HEADER]: pageKey() } : {});

/** The same for a WebSocket, which has no headers. */
export const pageProtocol = (): string => `page.${pageKey()}`;

/** 32 random bytes in base64url. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Renews a session that is over, for connections that cannot be told so and try again. */
export async function refreshIfOver(): Promise<void> {
  const { account } = session.get();
  if (account && account.expires * 1000 < Date.now() + 5000) await renew(account.expires);
}

function release(ok: boolean): void {
  const all = waiting;
  waiting = [];
  for (const resolve of all) resolve(ok);
}

async function ask(key: string, body: Record<string, string>): Promise<Opened> {
  const response = await fetch(here('/api/v1/token'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', [PAGE_HEADER]: key },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    const answer = (await response.json().catch(() => ({}))) as { message?: string };
    throw new SignInError(response.status, answer.message ?? `the server answered ${response.status}`);
  }
  return (await response.json()) as Opened;
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
  const key = newKey();
  signedIn(await ask(key, { grantType: 'password', username, password }), key);
}

/** This tab has gone to the identity provider. A link of somebody else cannot say so. */
const AWAY = 'gpuyard.at-provider';

export const goToProvider = (): void => sessionStorage.setItem(AWAY, '1');

/**
 * Ends a sign-in at the identity provider: the address holds a token that is good once, or the reason of
 * a refusal. Only a tab that has gone there takes it; else a link could sign people in as its sender.
 */
export async function signInFromAddress(): Promise<string | null> {
  const found = /^#(refresh|sign-in-error)=(.+)$/.exec(window.location.hash);
  if (!found) return null;
  window.history.replaceState(null, '', window.location.pathname);
  const begun = sessionStorage.getItem(AWAY) !== null;
  sessionStorage.removeItem(AWAY);
  if (!begun) return 'This sign-in was not begun here. Sign in again.';
  if (found[1] === 'sign-in-error') return decodeURIComponent(found[2] ?? '');
  const key = newKey();
  signedIn(await ask(key, { grantType: 'refresh_token', refreshToken: found[2] ?? '' }), key);
  return null;
}

let renewing: Promise<boolean> | null = null;

/** A renewed session, or the answer of the person who is asked to sign in again. */
export function renew(stale: number | null): Promise<boolean> {
  const { account } = session.get();
  if (account && account.expires !== stale) return Promise.resolve(true);
  renewing ??= oneTabAtATime(() => renewOnce(stale)).finally(() => {
    renewing = null;
  });
  return renewing;
}

/** The cookie is common to all tabs, and a refresh token is good once. */
async function oneTabAtATime(work: () => Promise<boolean>): Promise<boolean> {
  // Browsers have locks only on HTTPS and on this machine.
  const locks = typeof navigator === 'undefined' ? undefined : (navigator as { locks?: LockManager }).locks;
  return locks ? await locks.request(KEY, work) : await work();
}

async function renewOnce(stale: number | null): Promise<boolean> {
  const newest = keptAccount();
  if (newest && newest.expires !== stale) {
    session.set({ account: newest, expired: false });
    return true;
  }
  const key = pageKey();
  if (!key) return false;
  try {
    signedIn(await ask(key, { grantType: 'refresh_token' }), key);
    return true;
  } catch (error) {
    // A server in trouble has not refused anybody.
    if (!(error instanceof SignInError) || error.status >= 500) throw error;
  }
  session.set({ ...session.get(), expired: true });
  return new Promise((resolve) => waiting.push(resolve));
}

// Other tabs sign in and out too.
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== KEY) return;
    const before = session.get().account?.name;
    session.set({ account: keptAccount(), expired: false });
    const now = session.get().account?.name;
    // Somebody else: nothing that the last one saw may stay.
    if (before && now && before !== now) window.location.reload();
    release(session.get().account !== null);
  });
}
