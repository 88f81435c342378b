import { useQuery } from '@tanstack/react-query';
import { engine, type Amounts } from '@/api/engine';
import { bytes, gpus, percent } from '@/lib/quantity';
import { duration } from '@/lib/time';
import { Card, Facts } from '@/ui/page';
import { Failed } from '@/ui/state';

const NAMES: Record<string, string> = {
  cpuSeconds: 'CPU time',
  memoryPeak: 'Memory, peak',
  memory: 'Memory',
  gpuPercent: 'GPU busy',
  gpu: 'GPUs',
  cpu: 'CPU cores',
  gpuMemory: 'GPU memory',
  readBytes: 'Read',
  writeBytes: 'Written',
  processes: 'Processes',
  gpuHoursHeld: 'GPU-hours held',
  gpuHoursUsed: 'GPU-hours busy',
  gpuHoursIdle: 'GPU-hours idle',
};

function show(name: string, value: number | string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (/memory|bytes/i.test(name)) return bytes(value);
  if (/percent/i.test(name)) return percent(Number(value));
  if (/seconds/i.test(name)) return duration(Number(value));
  return typeof value === 'number' ? gpus(value) : value;
}

const lines = (amounts: Amounts | undefined): [string, string | null][] =>
  Object.entries(amounts ?? {}).map(([name, value]) => [NAMES[name] ?? name, show(name, value)]);

/** What was used of what was asked for. Nothing is shown that was not measured. */
export function UsageCard({ id }: { id: string }) {
  const usage = useQuery(engine.usage(id));
  const used = lines(usage.data?.used).filter(([, value]) => value !== null);
  const suggested = lines(usage.data?.suggested).filter(([, value]) => value !== null);
  return (
    <Card title="Used">
      {usage.isError ? (
        <Failed small error={usage.error} what="usage figures" />
      ) : used.length === 0 ? (
        <p className="small muted">Nothing has been measured yet.</p>
      ) : (
        <div className="stack">
          <Facts rows={used} />
          {suggested.length > 0 ? <p className="small soft">Enough next time: {suggested.map(([name, value]) => `${name} ${value}`).join(', ')}</p> : null}
        </div>
      )}
    </Card>
  );
}
