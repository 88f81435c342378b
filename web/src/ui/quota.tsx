import type { Schemas } from '@/api/client';
import { gpus } from '@/lib/quantity';
import { messageWords } from '@/lib/reasons';
import { Badge } from '@/ui/badge';
import { Bar } from '@/ui/bar';
import { Tip } from '@/ui/tip';

/** A quota in a list, marked if quotas promise more GPUs than there are: the tip is the server's sentence. */
export function Promised({ total, warning }: { total: number | null | undefined; warning: string | null | undefined }) {
  if (!warning) return gpus(total);
  return (
    <Tip text={messageWords(warning)}>
      <span>
        {gpus(total)} <Badge tone="wait">too much</Badge>
      </span>
    </Tip>
  );
}

/** Used within the quota, borrowed above it, and what waits, against the quota. */
export function QuotaBar({ quota, status }: { quota: number; status: Schemas['QuotaStatus'] | undefined | null }) {
  const used = status?.allocated?.gpu ?? 0;
  const asked = status?.requested?.gpu ?? 0;
  const within = Math.min(used, Math.max(quota, 0));
  const borrowed = Math.max(0, used - Math.max(quota, 0));
  const text = `${gpus(used)} of ${quota < 0 ? 'unlimited' : gpus(quota)} GPUs used${borrowed > 0 ? `, ${gpus(borrowed)} borrowed` : ''}${asked > used ? `, ${gpus(asked - used)} waiting` : ''}`;
  return (
    <div className="stack close">
      <Bar
        label={text}
        total={Math.max(quota, used)}
        segments={[
          { value: within, color: 'var(--accent)', label: 'used' },
          { value: borrowed, color: 'var(--chart-3)', label: 'borrowed' },
        ]}
      />
      <span className="tiny muted nowrap num">{text}</span>
    </div>
  );
}
