export interface Segment {
  value: number;
  color: string;
  label: string;
}

/** Parts of a whole; the same numbers are in its label for those who do not see it. */
export function Bar({ segments, total, label }: { segments: Segment[]; total: number; label: string }) {
  const sum = segments.reduce((all, s) => all + s.value, 0);
  const whole = Math.max(total, sum, 1e-9);
  return (
    <div className="bar" role="img" aria-label={label} title={label}>
      {segments.map((s) => (
        <span key={s.label} style={{ width: `${(100 * s.value) / whole}%`, background: s.color }} />
      ))}
    </div>
  );
}
