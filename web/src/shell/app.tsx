import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Live } from '@/api/live';
import { queries } from '@/api/queries';
import { session, signOut } from '@/api/session';
import { useStore } from '@/lib/store';
import { Layout } from '@/shell/layout';
import { ChangePassword, SignIn, SignInAgain } from '@/shell/sign-in';
import { Button } from '@/ui/button';
import { Failed } from '@/ui/state';
import { Toasts } from '@/ui/toast';

/** Decides what stands before the pages: signing in, a password to change, or nothing. */
export function App() {
  const { account, expired } = useStore(session);
  const client = useQueryClient();
  const signedIn = account !== null;
  useEffect(() => {
    if (!signedIn) client.clear();
  }, [signedIn, client]);
  return (
    <>
      {signedIn ? <SignedIn /> : <SignIn />}
      {expired ? <SignInAgain /> : null}
      <Toasts />
    </>
  );
}

function SignedIn() {
  const me = useQuery(queries.me);
  const client = useQueryClient();
  const live = useMemo(() => new Live(client), [client]);
  const ready = me.data !== undefined && !me.data.mustChangePassword;
  useEffect(() => {
    if (!ready) return;
    live.start();
    return () => live.stop();
  }, [ready, live]);
  if (me.isError && !me.data) {
    return (
      <main className="gate">
        <div className="card gate-card">
          <Failed error={me.error} what="your account" retry={() => void me.refetch()} />
          <Button tone="quiet" onClick={signOut}>
            Sign out
          </Button>
        </div>
      </main>
    );
  }
  if (!me.data) return <main className="gate" aria-busy="true" aria-label="Loading" />;
  if (me.data.mustChangePassword) return <ChangePassword username={me.data.username} />;
  return <Layout me={me.data} live={live} />;
}
