import { isolationAbout, type Isolation } from '@/lib/isolation';
import { Tip } from '@/ui/tip';

const TONES: Record<Isolation, string> = { hardware: 'ok', kernel: 'ok', cooperative: 'done', counted: 'wait', declared: 'still' };

/** The level as one word; what it means is shown on hover. */
export function IsolationBadge({ level }: { level: Isolation }) {
  return (
    <Tip text={`Isolation: ${isolationAbout(level)}`}>
      <span className={`badge ${TONES[level] ?? 'still'}`}>{level}</span>
    </Tip>
  );
}
