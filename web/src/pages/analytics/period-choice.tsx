import { dayOf } from '@/lib/time';
import type { Choice, Length } from '@/pages/analytics/period';
import { Segments } from '@/ui/field';

interface PeriodChoiceProps {
  choice: Choice;
  onChange: (params: Record<string, string>) => void;
}

export function PeriodChoice({ choice, onChange }: PeriodChoiceProps) {
  const today = dayOf(Date.now());
  const own = choice.length === 'own';
  const pick = (next: Length | 'own') => onChange(next === 'own' ? { span: '', from: today, to: today } : { span: next === '30d' ? '' : next, from: '', to: '' });
  return (
    <>
      <Segments
        label="Period"
        value={choice.length}
        onChange={pick}
        options={[['24h', 'Day'], ['7d', 'Week'], ['30d', 'Month'], ['90d', 'Quarter'], ['own', 'Custom']]}
      />
      {own ? (
        <span className="row">
          <input className="input auto" type="date" aria-label="From" max={choice.to} value={choice.from} onChange={(e) => e.target.value && onChange({ from: e.target.value })} />
          <input className="input auto" type="date" aria-label="To" min={choice.from} max={today} value={choice.to} onChange={(e) => e.target.value && onChange({ to: e.target.value })} />
        </span>
      ) : null}
    </>
  );
}
