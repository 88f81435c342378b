// The frame of every plot: its name, the plot, and the sentence that says what follows from it.
import type { ReactNode } from 'react';
import { Lightbulb } from '@/ui/icons';
import { Card } from '@/ui/page';

export function PlotCard({ title, says, legend, note, actions, children }: { title: string; says: string; legend?: ReactNode; note?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <Card title={title} actions={actions}>
      <p className="says">
        <Lightbulb size={15} aria-hidden />
        <span>{says}</span>
      </p>
      {children}
      {legend}
      {note ? <p className="tiny muted">{note}</p> : null}
    </Card>
  );
}
