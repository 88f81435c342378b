import type { Group } from '@/api/telemetry';
import { trim } from '@/lib/quantity';
import { Bar } from '@/ui/bar';

const MOST = 14;

/** Named amounts as bars, the largest first. */
export function Breakdown({ groups, unit, color = 'var(--accent)' }: { groups: Group[]; unit: string; color?: string }) {
  const sorted = [...groups].filter((g) => g.value > 0).sort((a, b) => b.value - a.value);
  const largest = sorted[0]?.value ?? 0;
  if (sorted.length === 0) return <p className="small muted">Nothing to show yet.</p>;
  return (
    <ul className="stack tight">
      {sorted.slice(0, MOST).map((group) => (
        <li key={group.name} className="breakdown">
          <span className="clip small" title={group.name}>
            {group.name}
          </span>
          <Bar total={largest} label={`${group.name}: ${trim(group.value)} ${group.value === 1 ? unit.replace(/s$/, '') : unit}`} segments={[{ value: group.value, color, label: group.name }]} />
          <span className="small num right">{trim(group.value)}</span>
        </li>
      ))}
      {sorted.length > MOST ? <li className="small muted">and {sorted.length - MOST} more</li> : null}
    </ul>
  );
}
