import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye, Pencil, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { queries, useAllowed } from '@/api/queries';
import { reservations, stateAt, type Reservation } from '@/api/reservations';
import { Calendar } from '@/pages/reservations/calendar';
import { Details, releaseText } from '@/pages/reservations/details';
import { DeleteReservation, ReservationDialog, type Window } from '@/pages/reservations/form';
import { StateBadge, stateWord } from '@/pages/reservations/rows';
import { useAddress } from '@/lib/address';
import { gpus } from '@/lib/quantity';
import { parseTime, short } from '@/lib/time';
import { ResourcePage } from '@/ui/resource-page';
import type { Column } from '@/ui/table';
import { toast } from '@/ui/toast';

const moment = (text: string) => <span className="num">{short(parseTime(text) ?? 0, Date.now())}</span>;

const COLUMNS: Column<Reservation>[] = [
  { id: 'name', header: 'Name', cell: (r) => <Link className="strong" to={`/reservations/${r.id}`}>{r.name}</Link>, text: (r) => r.name },
  { id: 'project', header: 'Project', cell: (r) => r.projectName, text: (r) => r.projectName },
  { id: 'state', header: 'State', cell: (r) => <StateBadge one={r} />, text: (r) => stateWord(stateAt(r, Date.now())) },
  { id: 'gpu', header: 'GPUs', right: true, cell: (r) => gpus(r.gpu), text: (r) => r.gpu },
  { id: 'pool', header: 'Node pool', cell: (r) => <PoolName one={r} />, text: (r) => r.nodePool },
  { id: 'start', header: 'From', cell: (r) => moment(r.start), text: (r) => r.start },
  { id: 'end', header: 'To', cell: (r) => moment(r.end), text: (r) => r.end },
  { id: 'release', header: 'Given back if unused', cell: releaseText, text: (r) => r.releaseAfterMinutes },
  { id: 'by', header: 'Made by', cell: (r) => r.createdBy, text: (r) => r.createdBy },
];

/** The pool that the reservation names, else the first one of its project. */
function PoolName({ one }: { one: Reservation }) {
  const projects = useQuery(queries.projects);
  const project = projects.data?.find((p) => p.id === one.projectId);
  const first = project?.defaultNodePools?.[0] ?? project?.resources[0]?.nodePool?.name;
  return <>{one.nodePool ?? first ?? '–'}</>;
}

const RANKS = { active: 0, upcoming: 1, ended: 2 };

/** What holds now, then what comes, then what is over. */
function ordered(list: Reservation[]): Reservation[] {
  const now = Date.now();
  const rank = (r: Reservation) => RANKS[stateAt(r, now)];
  return [...list].sort((a, b) => rank(a) - rank(b) || a.start.localeCompare(b.start));
}

const TEACH =
  'A reservation keeps GPUs for the work of a project during a window, such as the week before a deadline. Until it begins, others start there only what ends in time or may be preempted. On the command line it is gpuyard reservation create.';

export default function Reservations() {
  const rows = useQuery({ ...reservations, select: ordered });
  const { params, set } = useAddress();
  const client = useQueryClient();
  // Whoever may give a department projects may keep GPUs for them.
  const may = useAllowed()('project', 'create');
  const [editing, setEditing] = useState<Reservation | 'new' | null>(null);
  const [chosen, setChosen] = useState<Window | undefined>();
  const [deleting, setDeleting] = useState<Reservation | null>(null);
  const list = rows.data ?? [];
  const opened = list.find((r) => r.id === params.get('reservation'));
  const close = () => set({ reservation: '' });
  const instead = (act: () => void) => () => (close(), act());
  const done = (text: string) => {
    toast(text);
    void client.invalidateQueries({ queryKey: ['reservation'] });
  };
  return (
    <>
      <ResourcePage
        title="Reservations"
        what="reservations"
        sub="GPUs reserved for a project's work, for a deadline"
        rows={rows}
        columns={COLUMNS}
        rowId={(r) => r.id}
        nameOf={(r) => r.name}
        onCreate={may && (() => (setChosen(undefined), setEditing('new')))}
        createLabel="Reserve GPUs"
        teach={may ? TEACH : `${TEACH} Those who may make projects in a department may make them.`}
        above={list.length > 0 ? <Calendar list={list} params={params} set={set} choose={may ? (window) => (setChosen(window), setEditing('new')) : undefined} /> : null}
        menu={(r) => [
          { label: 'Show', icon: <Eye size={15} />, onSelect: () => set({ reservation: r.id }) },
          may && { label: 'Change…', icon: <Pencil size={15} />, onSelect: () => setEditing(r) },
          may && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(r) },
        ]}
      />
      {opened ? <Details one={opened} onClose={close} onEdit={may ? instead(() => setEditing(opened)) : undefined} onDelete={may ? instead(() => setDeleting(opened)) : undefined} /> : null}
      {editing ? <ReservationDialog one={editing === 'new' ? null : editing} chosen={chosen} onClose={() => setEditing(null)} done={done} /> : null}
      {deleting ? <DeleteReservation one={deleting} onClose={() => setDeleting(null)} done={done} /> : null}
    </>
  );
}
