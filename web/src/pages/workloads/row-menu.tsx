import { CirclePause, Copy, EllipsisVertical, Play, SquareArrowOutUpRight, Trash2 } from '@/ui/icons';
import { useNavigate } from 'react-router-dom';
import { useState } from 'react';
import type { Workload } from '@/api/queries';
import { ActionDialog, type ActionName } from '@/pages/workload/actions';
import { isEnded, useMayAct } from '@/pages/workloads/kinds';
import { IconButton } from '@/ui/button';
import { Menu, MenuTrigger } from '@/ui/menu';

const button = (workload: Workload) => <IconButton small label={`Actions of ${workload.name}`} icon={<EllipsisVertical size={15} />} />;

export function RowMenu({ workload }: { workload: Workload }) {
  const [wanted, setWanted] = useState(false);
  return wanted ? <Entries workload={workload} /> : <MenuTrigger trigger={button(workload)} onOpen={() => setWanted(true)} />;
}

function Entries({ workload }: { workload: Workload }) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<ActionName | null>(null);
  const may = useMayAct();
  const mayChange = may(workload.type, 'update');
  const mayDelete = may(workload.type, 'delete');
  const stopped = workload.phase === 'Stopped';
  return (
    <>
      <Menu
        open
        trigger={button(workload)}
        entries={[
          { label: 'Open', icon: <SquareArrowOutUpRight size={15} />, onSelect: () => navigate(`/workloads/${workload.id}`) },
          may(workload.type, 'create') && { label: 'Clone and edit', icon: <Copy size={15} />, onSelect: () => navigate(`/workloads/new?from=${workload.id}`) },
          (mayChange || mayDelete) && 'line',
          mayChange && !isEnded(workload.phase) && { label: 'Stop…', icon: <CirclePause size={15} />, onSelect: () => setAsking('stop') },
          mayChange && stopped && { label: 'Resume…', icon: <Play size={15} />, onSelect: () => setAsking('resume') },
          mayDelete && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setAsking('delete') },
        ]}
      />
      {asking ? <ActionDialog action={asking} workload={workload} onClose={() => setAsking(null)} /> : null}
    </>
  );
}
