// Whoever still signs in with the password that the server printed is asked to choose one.
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Me } from '@/api/queries';
import { keep, kept } from '@/lib/store';
import { IconButton } from '@/ui/button';
import { KeyRound, X } from '@/ui/icons';

const LATER = 'gpuyard.first-password.later';

export function FirstPassword({ me }: { me: Me }) {
  const { pathname } = useLocation();
  const [later, setLater] = useState(() => kept(LATER, ''));
  if (!me.hasFirstPassword || later === me.username || pathname === '/account') return null;
  const dismiss = () => {
    keep(LATER, me.username);
    setLater(me.username);
  };
  return (
    <div className="banner motd" role="status">
      <KeyRound size={16} aria-hidden />
      <span className="grow">
        You sign in with the password that the server printed at its first start. <Link to="/account?password=change">Choose your own</Link>
      </span>
      <IconButton small label="Not now" icon={<X size={14} />} onClick={dismiss} />
    </div>
  );
}
