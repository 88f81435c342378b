import { Ban, CheckCircle2, CircleDashed, CirclePause, CircleX, Clock, LoaderCircle, PlayCircle, Trash2, TriangleAlert, type LucideIcon } from '@/ui/icons';
import { Badge, type Tone } from '@/ui/badge';

type Look = [tone: Tone, icon: LucideIcon, spins?: boolean];

// A phase is told by colour, by shape and by its word.
const LOOKS: Record<string, Look> = {
  Creating: ['wait', LoaderCircle, true],
  Pending: ['wait', Clock],
  Initializing: ['wait', LoaderCircle, true],
  Running: ['ok', PlayCircle],
  Degraded: ['bad', TriangleAlert],
  Completed: ['done', CheckCircle2],
  Failed: ['bad', CircleX],
  Stopping: ['still', LoaderCircle, true],
  Stopped: ['still', CirclePause],
  Resuming: ['wait', LoaderCircle, true],
  Updating: ['wait', LoaderCircle, true],
  Terminating: ['still', LoaderCircle, true],
  Deleting: ['still', Trash2],
  Deleted: ['still', Trash2],
  Ready: ['ok', CheckCircle2],
  NotReady: ['bad', CircleX],
  Empty: ['still', CircleDashed],
  Unschedulable: ['bad', Ban],
};

// Where the word of the API is not what people would say.
const WORDS: Record<string, string> = { NotReady: 'Not ready' };

export const PHASES = [
  'Creating',
  'Pending',
  'Initializing',
  'Running',
  'Resuming',
  'Degraded',
  'Updating',
  'Stopping',
  'Stopped',
  'Completed',
  'Failed',
  'Terminating',
  'Deleting',
  'Unknown',
] as const;

export function Phase({ phase }: { phase: string }) {
  const [tone, Icon, spins] = LOOKS[phase] ?? (['still', CircleDashed] as Look);
  return (
    <Badge tone={tone} icon={<Icon size={13} className={spins ? 'spin' : undefined} aria-hidden />}>
      {WORDS[phase] ?? phase}
    </Badge>
  );
}
