// Asks before what somebody has typed and not sent is left behind: for another page, or with the tab.
import { useEffect, type ReactNode } from 'react';
import { useBlocker } from 'react-router-dom';
import { Confirm } from '@/ui/confirm';

interface Props {
  /** Something would be lost. */
  touched: boolean;
  /** Set just before a form that was sent goes elsewhere by itself. */
  done: { readonly current: boolean | null };
  title: string;
  children: ReactNode;
}

export function Leaving({ touched, done, title, children }: Props) {
  useEffect(() => {
    if (!touched) return;
    const ask = (event: BeforeUnloadEvent) => (done.current ? undefined : event.preventDefault());
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [touched, done]);
  const leaving = useBlocker(({ currentLocation, nextLocation }) => touched && !done.current && currentLocation.pathname !== nextLocation.pathname);
  if (leaving.state !== 'blocked') return null;
  return (
    <Confirm title={title} action="Leave" danger run={async () => leaving.proceed()} onClose={() => leaving.state === 'blocked' && leaving.reset()}>
      <p>{children}</p>
    </Confirm>
  );
}
