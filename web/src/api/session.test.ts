import { beforeEach, describe, expect, it, vi } from 'vitest';

const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
});

const opened = { name: 'ann@lab.example.org', expiresAt: 1_900_000_000 };
const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

async function fresh() {
  vi.resetModules();
  return import('@/api/session');
}

describe('a session', () => {
  beforeEach(() => kept.clear());

  it('is opened with a key of its own, and keeps no token', async () => {
    const calls: RequestInit[] = [];
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => (calls.push(init), Promise.resolve(answer(200, opened))));
    const { signIn, session, pageHeaders } = await fresh();
    await signIn('ann@lab.example.org', 'secret');
    const sent = new Headers(calls[0]?.headers).get('gpuyard-page');
    expect(sent).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(pageHeaders()).toEqual({ 'Gpuyard-Page': sent });
    expect(session.get().account?.name).toBe('ann@lab.example.org');
    expect([...kept.values()].join()).not.toContain('secret');
    expect(JSON.parse([...kept.values()][0] ?? '')).toEqual({ key: sent, name: opened.name, expires: opened.expiresAt });
  });

  it('of an older page, with tokens in the storage, is none', async () => {
    kept.set('gpuyard.session', JSON.stringify({ access: 'a.b.c', refresh: 'd.e.f' }));
    const { session } = await fresh();
    expect(session.get().account).toBeNull();
  });

  it('that another tab has renewed is taken over', async () => {
    kept.set('gpuyard.session', JSON.stringify({ key: 'k', name: 'ann', expires: 1 }));
    vi.stubGlobal('fetch', () => Promise.reject(new Error('nobody asks')));
    const { renew, session } = await fresh();
    kept.set('gpuyard.session', JSON.stringify({ key: 'k', name: 'ann', expires: 2 }));
    expect(await renew(1)).toBe(true);
    expect(session.get().account?.expires).toBe(2);
  });

  it('that is refused asks the person, and forgets nothing', async () => {
    kept.set('gpuyard.session', JSON.stringify({ key: 'k', name: 'ann', expires: 1 }));
    vi.stubGlobal('fetch', () => Promise.resolve(answer(401, { message: 'over' })));
    const { renew, session } = await fresh();
    void renew(1);
    await vi.waitFor(() => expect(session.get().expired).toBe(true));
    expect(session.get().account?.name).toBe('ann');
  });

  it('from the address is taken only by a tab that went to the provider', async () => {
    const tab = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => tab.get(key) ?? null,
      setItem: (key: string, value: string) => void tab.set(key, value),
      removeItem: (key: string) => void tab.delete(key),
    });
    vi.stubGlobal('window', { addEventListener: () => undefined, location: { hash: '#refresh=t', pathname: '/' }, history: { replaceState: () => undefined } });
    let asked = 0;
    vi.stubGlobal('fetch', () => ((asked += 1), Promise.resolve(answer(200, opened))));
    const { goToProvider, signInFromAddress, session } = await fresh();
    expect(await signInFromAddress()).toContain('not begun here');
    expect([asked, session.get().account]).toEqual([0, null]);
    goToProvider();
    expect(await signInFromAddress()).toBeNull();
    expect(session.get().account?.name).toBe('ann@lab.example.org');
    expect(await signInFromAddress()).toContain('not begun here');
    expect(asked).toBe(1);
  });
});
