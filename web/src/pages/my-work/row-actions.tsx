// What people do ten times a day, without a menu: open the tool, read the log, stop, run again.
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Workload } from '@/api/queries';
import { ActionDialog, type ActionName } from '@/pages/workload/actions';
import { OpenTool } from '@/pages/workload/open-tool';
import { isEnded, isRunning, mayRunAgain, useMayAct } from '@/pages/workloads/kinds';
import { RowMenu } from '@/pages/workloads/row-menu';
import { IconButton } from '@/ui/button';
import { CircleStop, Play, RotateCcw, ScrollText } from '@/ui/icons';

export function Actions({ workload: w }: { workload: Workload }) {
  const [asking, setAsking] = useState<ActionName | null>(null);
  const may = useMayAct();
  const ended = isEnded(w.phase);
  return (
    <span className="row end">
      {isRunning(w.phase) ? <OpenTool small workload={w} /> : null}
      <span className="row wide-only">
        {isRunning(w.phase) || w.phase === 'Failed' ? (
          <Link className="button icon sm quiet" to={`/workloads/${w.id}?tab=logs`} aria-label={`Log of ${w.name}`} title="Log">
            <ScrollText size={15} aria-hidden />
          </Link>
        ) : null}
        {!ended && may(w.type, 'update') ? <IconButton small label={`Stop ${w.name}`} icon={<CircleStop size={15} />} onClick={() => setAsking('stop')} /> : null}
        {w.phase === 'Stopped' && may(w.type, 'update') ? <IconButton small label={`Resume ${w.name}`} icon={<Play size={15} />} onClick={() => setAsking('resume')} /> : null}
        {mayRunAgain(w.phase) && may(w.type, 'create') ? <IconButton small label={`Run ${w.name} again`} icon={<RotateCcw size={15} />} onClick={() => setAsking('rerun')} /> : null}
      </span>
      <RowMenu workload={w} />
      {asking ? <ActionDialog action={asking} workload={w} onClose={() => setAsking(null)} /> : null}
    </span>
  );
}
