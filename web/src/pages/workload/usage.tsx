import { useQuery } from '@tanstack/react-query';
import { engine, type Amounts } from '@/api/engine';
import { bytes, gpus, parseBytes, percent } from '@/lib/quantity';
import { duration } from '@/lib/time';
import { Card, Facts } from '@/ui/page';
import { Failed, Skeleton } from '@/ui/state';

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
  gpuHoursHeld: 'GPU-hours',
  gpuHoursUsed: 'GPU-hours busy',
  gpuHoursIdle: 'GPU-hours idle',
};

const NEVER_ZERO = ['cpuSeconds', 'memoryPeak', 'memory', 'processes'];

function show(name: string, value: number | string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  // Nothing uses no memory and no CPU time at all: it was not measured.
  if (NEVER_ZERO.includes(name) && (parseBytes(value) ?? 0) === 0) return null;
  if (/memory|bytes/i.test(name)) return bytes(value);
  if (/percent/i.test(name)) return percent(Number(value));
  if (/seconds/i.test(name)) return duration(Number(value));
  return typeof value === 'number' ? gpus(value) : value;
}

const lines = (amounts: Amounts | undefined): [string, string | null][] =>
  Object.entries(amounts ?? {}).map(([name, value]) => [NAMES[name] ?? name, show(name, value)]);

const MEANINGFUL = 600;
const AGAIN = 30_000;

/** "CPU cores: requested 32, 1.3 would do." Only where much less would do. */
export function adviceOf(usage: { asked: Amounts; suggested: Amounts } | undefined): string[] {
  return Object.entries(usage?.suggested ?? {}).flatMap(([name, enough]) => {
    const asked = usage?.asked[name];
    const [a, b] = [parseBytes(asked), parseBytes(enough)];
    if (a === null || b === null || b > a / 2) return [];
    return [`${NAMES[name] ?? name}: requested ${show(name, asked)}, ${show(name, enough)} would do.`];
  });
}

/** What was used of what was requested. Nothing is shown that was not measured. */
export function UsageCard({ id, ranFor, ended }: { id: string; ranFor: number; ended: boolean }) {
  const usage = useQuery({ ...engine.usage(id), refetchInterval: ended ? false : AGAIN });
  const used = lines(usage.data?.used).filter(([, value]) => value !== null);
  // A few seconds tell nothing about what a whole run needs.
  const advice = ranFor >= MEANINGFUL ? adviceOf(usage.data) : [];
  return (
    <Card title="Used">
      {usage.isPending ? (
        <Skeleton />
      ) : usage.isError ? (
        <Failed small error={usage.error} what="usage figures" />
      ) : used.length === 0 ? (
        <p className="small muted">{ended ? 'Nothing was measured.' : 'Nothing has been measured yet.'}</p>
      ) : (
        <div className="stack">
          <Facts rows={used} />
          {advice.map((line) => (
            <p key={line} className="small soft">
              {line}
            </p>
          ))}
        </div>
      )}
    </Card>
  );
}
