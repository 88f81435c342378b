import { useQuery } from '@tanstack/react-query';
import { Megaphone, WifiOff, X } from '@/ui/icons';
import { useState } from 'react';
import { live as liveState, type Live } from '@/api/live';
import { site } from '@/api/site';
import { keep, kept, useStore } from '@/lib/store';
import { Button, IconButton } from '@/ui/button';
import { useNow } from '@/ui/time';

export function ConnectionBanner({ live }: { live: Live }) {
  const { connection } = useStore(liveState);
  return connection === 'lost' ? <Lost live={live} /> : null;
}

function Lost({ live }: { live: Live }) {
  const now = useNow();
  const { retryAt } = useStore(liveState);
  const wait = Math.max(0, Math.ceil(((retryAt ?? now) - now) / 1000));
  return (
    <div className="banner lost" role="status">
      <WifiOff size={16} aria-hidden />
      <span className="grow">
        The connection to the server is lost; what you see may be old. {wait > 0 ? `Trying again in ${wait} s.` : 'Trying…'}
      </span>
      <Button small onClick={() => live.retryNow()}>
        Try now
      </Button>
    </div>
  );
}

/** The setting `message-of-the-day`, for everybody, until it is dismissed or changes. */
export function MessageOfTheDay() {
  const { data: told } = useQuery(site);
  const data = told?.messageOfTheDay;
  const [dismissed, setDismissed] = useState(kept('gpuyard.motd', ''));
  if (!data || data === dismissed) return null;
  const dismiss = () => {
    keep('gpuyard.motd', data);
    setDismissed(data);
  };
  return (
    <div className="banner motd">
      <Megaphone size={16} aria-hidden />
      <span className="grow">{data}</span>
      <IconButton small label="Dismiss" icon={<X size={14} />} onClick={dismiss} />
    </div>
  );
}
