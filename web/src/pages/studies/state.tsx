// The states of studies and trials, by colour, shape and word.
import type { Study, Trial } from '@/api/studies';
import { Badge, type Tone } from '@/ui/badge';
import { CheckCircle2, CirclePause, CircleStop, CircleX, PlayCircle, Timer, type LucideIcon } from '@/ui/icons';

const STUDY: Record<Study['state'], [Tone, LucideIcon]> = {
  Running: ['ok', PlayCircle],
  Paused: ['wait', CirclePause],
  Completed: ['done', CheckCircle2],
  Stopped: ['still', CircleStop],
};

const TRIAL: Record<Trial['state'], [Tone, LucideIcon]> = {
  Running: ['ok', PlayCircle],
  Complete: ['done', CheckCircle2],
  Pruned: ['wait', Timer],
  Failed: ['bad', CircleX],
};

export function StudyState({ state }: { state: Study['state'] }) {
  const [tone, Icon] = STUDY[state];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {state}
    </Badge>
  );
}

export function TrialStateBadge({ state }: { state: Trial['state'] }) {
  const [tone, Icon] = TRIAL[state];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {state}
    </Badge>
  );
}
