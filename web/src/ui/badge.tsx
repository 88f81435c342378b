import type { ReactNode } from 'react';

export type Tone = 'ok' | 'wait' | 'bad' | 'done' | 'still' | 'foreign' | 'accent';

export function Badge({ tone = 'still', icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={`badge ${tone}`}>
      {icon}
      {children}
    </span>
  );
}
