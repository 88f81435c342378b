import { useQuery } from '@tanstack/react-query';
import { keepGpus, type Reservation } from '@/api/reservations';
import { queries, useAllowed } from '@/api/queries';
import { textAt, type Spec } from '@/lib/paths';
import { isoOf, minuteOf, short } from '@/lib/time';
import { gpuCount } from '@/lib/quantity';
import { useProject } from '@/shell/project';
import { Confirm } from '@/ui/confirm';
import { EntityDialog, type FieldSpec } from '@/ui/entity-form';

const HOUR = 3_600_000;

/** A time, and whose it is, as it was chosen in the calendar. */
export interface Window {
  from: number;
  to: number;
  projectId?: string;
}

/** From the next full hour on, for a day, if nothing was chosen. */
export function fresh(projectId: string, now: number, chosen?: Window): Spec {
  if (chosen) return { projectId: chosen.projectId ?? projectId, gpu: 1, start: minuteOf(chosen.from), end: minuteOf(chosen.to) };
  const start = Math.ceil(now / HOUR) * HOUR;
  return { projectId, gpu: 1, start: minuteOf(start), end: minuteOf(start + 24 * HOUR) };
}

const draftOf = (one: Reservation): Spec => ({
  gpu: one.gpu,
  nodePool: one.nodePool ?? '',
  start: minuteOf(Date.parse(one.start)),
  end: minuteOf(Date.parse(one.end)),
  releaseAfterMinutes: one.releaseAfterMinutes ?? '',
});

const changeOf = (value: Spec) => ({
  gpu: Number(value.gpu),
  nodePool: textAt(value, 'nodePool') || null,
  start: isoOf(textAt(value, 'start')),
  end: isoOf(textAt(value, 'end')),
  releaseAfterMinutes: textAt(value, 'releaseAfterMinutes') ? Number(value.releaseAfterMinutes) : null,
});

type Options = [value: string, label: string][];

function fieldsFor(one: Reservation | null, projects: Options, pools: Options): FieldSpec[] {
  return [
    ...(one ? [] : ([{ path: 'name', label: 'Name', required: true, placeholder: 'icml-deadline' }, { path: 'projectId', label: 'For the work of', kind: 'select', required: true, options: projects }] satisfies FieldSpec[])),
    { path: 'gpu', label: 'GPUs', kind: 'number', required: true },
    { path: 'nodePool', label: 'Of the node pool', kind: 'select', options: [['', "the project's first"], ...pools] },
    { path: 'start', label: 'From', kind: 'time', required: true },
    { path: 'end', label: 'To', kind: 'time', required: true, hint: `Your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.` },
    { path: 'releaseAfterMinutes', label: 'Release if unused for, minutes', kind: 'number', placeholder: 'never', hint: 'What the project leaves unused for so long goes back to everybody.' },
  ];
}

/** Makes a reservation, or changes one. */
export function ReservationDialog({ one, chosen, onClose, done }: { one: Reservation | null; chosen?: Window; onClose: () => void; done: (text: string) => void }) {
  const allowed = useAllowed();
  const projects = useQuery(queries.projects);
  const pools = useQuery({ ...queries.nodePools, enabled: allowed('nodepools') });
  const [inView] = useProject();
  const names: Options = (projects.data ?? []).map((p) => [p.id, p.name]);
  const save = async (value: Spec) => {
    const change = changeOf(value);
    const name = one?.name ?? textAt(value, 'name').trim();
    if (one) await keepGpus.change(one.id, change);
    else await keepGpus.create({ ...change, name, projectId: textAt(value, 'projectId') });
    done(`${name} is reserved`);
  };
  return (
    <EntityDialog
      title={one ? `Change ${one.name}` : 'Reserve GPUs'}
      action={one ? 'Save' : 'Reserve'}
      fields={fieldsFor(one, [['', 'choose a project'], ...names], (pools.data ?? []).map((p) => [p.name, p.name]))}
      initial={one ? draftOf(one) : fresh(inView, Date.now(), chosen)}
      save={save}
      onClose={onClose}
    />
  );
}

/** What comes of it, before its time, in it and after. */
export function deletionWords(one: Pick<Reservation, 'gpu' | 'projectName' | 'start' | 'end'>, now: number): string {
  const [are, they, them] = one.gpu === 1 ? ['is', 'it is', 'it'] : ['are', 'they are', 'them'];
  if (now >= Date.parse(one.end)) return 'Its time is over, so nothing is reserved any more; only the entry goes.';
  if (now < Date.parse(one.start)) return `${gpuCount(one.gpu)} ${are} no longer kept for ${one.projectName} from ${short(Date.parse(one.start), now)} on.`;
  return `${gpuCount(one.gpu)} ${are} no longer reserved for ${one.projectName}: ${they} free for everybody at once. Work that runs on ${them} goes on.`;
}

export function DeleteReservation({ one, onClose, done }: { one: Reservation; onClose: () => void; done: (text: string) => void }) {
  return (
    <Confirm title={`Delete the reservation ${one.name}?`} action="Delete" danger onClose={onClose} run={async () => (await keepGpus.giveUp(one.id), done(`${one.name} is deleted`))}>
      <p>{deletionWords(one, Date.now())} This cannot be undone.</p>
    </Confirm>
  );
}
