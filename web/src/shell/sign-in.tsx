import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { api } from '@/api/client';
import { queries, type Me } from '@/api/queries';
import { goToProvider, signedIn, signIn, SignInError, signInFromAddress, signOut, type Opened } from '@/api/session';
import { here } from '@/lib/place';
import { Brand } from '@/shell/brand';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { ErrorNotice, Notice } from '@/ui/state';

function Gate({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="gate">
      <div className="card gate-card">
        <Brand large />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

function useSubmit(run: () => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await run();
    } catch (problem) {
      setError(problem instanceof TypeError ? new Error('The server cannot be reached.') : problem);
    }
    setBusy(false);
  };
  return { busy, error, submit };
}

const wrongPassword = (error: unknown) =>
  error instanceof SignInError && error.status === 401 ? new Error('The e-mail address or the password is not right.') : error;

interface Provider {
  name?: string;
  loginUrl?: string;
}

/** The way to the lab's identity provider, where there is one. */
function SingleSignOn() {
  const [provider, setProvider] = useState<Provider | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    signInFromAddress().then(setRefused, (error: Error) => setRefused(error.message));
    fetch(here('/api/v1/oidc'))
      .then((answer) => answer.json() as Promise<Provider>)
      .then(setProvider, () => undefined);
  }, []);
  return (
    <>
      <ErrorNotice error={refused === null ? null : new Error(refused)} />
      {provider?.loginUrl && (
        <a className="button" href={here(provider.loginUrl)} onClick={goToProvider}>
          Sign in with {provider.name}
        </a>
      )}
    </>
  );
}

/** What the server tells everybody who comes to sign in. */
function SignInNote() {
  const [note, setNote] = useState('');
  useEffect(() => {
    fetch(here('/api/v1/site/sign-in'))
      .then((answer) => answer.json() as Promise<{ note?: string }>)
      .then((told) => setNote(told.note ?? ''), () => undefined);
  }, []);
  return note ? <Notice>{note}</Notice> : null;
}

// The password that was just typed, so that a forced change does not ask for it again. It is kept
// in memory, and only until it was changed.
let typed = '';

export function SignIn() {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { busy, error, submit } = useSubmit(async () => {
    await signIn(username.trim(), password);
    typed = password;
  });
  return (
    <Gate title="Sign in">
      <SignInNote />
      <form className="form" onSubmit={(e) => void submit(e)}>
        <Field label="E-mail">
          <input className="input" name="username" autoComplete="username" autoFocus required value={username} onChange={(e) => setUsername(e.target.value)} />
        </Field>
        <Field label="Password">
          <input className="input" name="password" type="password" autoComplete="current-password" required value={password} onChange={(e) => setPassword(e.target.value)} />
        </Field>
        <ErrorNotice error={wrongPassword(error)} />
        <Button type="submit" tone="primary" disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
      <SingleSignOn />
      <p className="tiny muted">
        No account? An administrator of your lab adds people under Organisation. <a href={here('/docs/first-hour')}>Documentation</a>
      </p>
    </Gate>
  );
}

/** Over the page, which keeps everything that was typed. */
export function SignInAgain() {
  const client = useQueryClient();
  const username = client.getQueryData<Me>(queries.me.queryKey)?.username ?? '';
  const [password, setPassword] = useState('');
  const { busy, error, submit } = useSubmit(() => signIn(username, password));
  return (
    <Dialog
      title="Sign in again"
      onClose={() => undefined}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={signOut}>Sign out</Button>
          <Button type="submit" tone="primary" disabled={busy}>
            Sign in
          </Button>
        </>
      }
    >
      <div className="form">
        <p className="soft small">Your session has ended. Nothing you typed is lost: sign in and go on.</p>
        <Field label="E-mail">
          <input className="input" value={username} readOnly autoComplete="username" />
        </Field>
        <Field label="Password">
          <input className="input" type="password" autoComplete="current-password" autoFocus required value={password} onChange={(e) => setPassword(e.target.value)} />
        </Field>
        <ErrorNotice error={wrongPassword(error)} />
      </div>
    </Dialog>
  );
}

export function ChangePassword({ username }: { username: string }) {
  const client = useQueryClient();
  const [known] = useState(typed);
  const [current, setCurrent] = useState(known);
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const different = again !== '' && again !== next;
  const { busy, error, submit } = useSubmit(async () => {
    if (next !== again) throw new Error('The two new passwords differ.');
    const answer = await api.post<Opened>('/api/v1/me/password', { currentPassword: current, newPassword: next });
    typed = '';
    signedIn(answer);
    await client.invalidateQueries();
  });
  return (
    <Gate title="Choose a new password">
      <p className="small soft">
        {username} has a temporary password. Choose your own to go on.
      </p>
      <form className="form" onSubmit={(e) => void submit(e)}>
        <input type="hidden" name="username" autoComplete="username" value={username} />
        {known ? null : (
          <Field label="Temporary password">
            <input className="input" name="current" type="password" autoComplete="current-password" autoFocus required value={current} onChange={(e) => setCurrent(e.target.value)} />
          </Field>
        )}
        <Field label="New password" hint="Eight characters or more; passphrases welcome.">
          <input className="input" name="next" type="password" autoComplete="new-password" autoFocus={known !== ''} required value={next} onChange={(e) => setNext(e.target.value)} />
        </Field>
        <Field label="New password, again" error={different ? 'The two differ.' : null}>
          <input className="input" name="again" type="password" autoComplete="new-password" required value={again} onChange={(e) => setAgain(e.target.value)} />
        </Field>
        <ErrorNotice error={error} />
        <div className="row between">
          <Button tone="quiet" onClick={signOut}>
            Sign out
          </Button>
          <Button type="submit" tone="primary" disabled={busy}>
            Change password
          </Button>
        </div>
      </form>
    </Gate>
  );
}
