import { CircleStop, Copy, EllipsisVertical, ExternalLink, Info, Play, RotateCcw, ScrollText, SquareTerminal, Trash2 } from '@/ui/icons';
import { useNavigate } from 'react-router-dom';
import { useState } from 'react';
import type { Workload } from '@/api/queries';
import { ActionDialog, type ActionName } from '@/pages/workload/actions';
import { useTools } from '@/pages/workload/open-tool';
import { isEnded, isRunning, mayRunAgain, useMayAct } from '@/pages/workloads/kinds';
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
  const tools = useTools(workload);
  const to = (tab: string) => () => navigate(`/workloads/${workload.id}${tab ? `?tab=${tab}` : ''}`);
  return (
    <>
      <Menu
        open
        trigger={button(workload)}
        entries={[
          ...tools.map((tool) => ({ label: `Open ${tool.name}`, icon: <ExternalLink size={15} />, onSelect: () => void window.open(tool.url ?? '', '_blank', 'noreferrer') })),
          { label: 'Details', icon: <Info size={15} />, onSelect: to('') },
          { label: 'Log', icon: <ScrollText size={15} />, onSelect: to('logs') },
          isRunning(workload.phase) && { label: 'Terminal', icon: <SquareTerminal size={15} />, onSelect: to('terminal') },
          may(workload.type, 'create') && { label: 'Clone and edit', icon: <Copy size={15} />, onSelect: () => navigate(`/workloads/new?from=${workload.id}`) },
          (mayChange || mayDelete) && 'line',
          mayChange && !isEnded(workload.phase) && { label: 'Stop…', icon: <CircleStop size={15} />, onSelect: () => setAsking('stop') },
          may(workload.type, 'create') && mayRunAgain(workload.phase) && { label: 'Run again…', icon: <RotateCcw size={15} />, onSelect: () => setAsking('rerun') },
          mayChange && stopped && { label: 'Resume…', icon: <Play size={15} />, onSelect: () => setAsking('resume') },
          mayDelete && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setAsking('delete') },
        ]}
      />
      {asking ? <ActionDialog action={asking} workload={workload} onClose={() => setAsking(null)} /> : null}
    </>
  );
}
