// Going into running work: not for everybody who sees it.
import type { ReactNode } from 'react';
import type { WorkloadDetails } from '@/api/queries';
import { useMayAct } from '@/pages/workloads/kinds';
import { Lock } from '@/ui/icons';
import { Card } from '@/ui/page';
import { Empty } from '@/ui/state';

/** The words for those who may not go in; null for those who may. */
export function useNoEntry(w: WorkloadDetails): ReactNode {
  const mayAct = useMayAct();
  const role = mayAct(w.type, 'update');
  if (role && w.mayEnter !== false) return null;
  return (
    <Card>
      <Empty small title="Not open to you" icon={<Lock size={20} />}>
        {role ? `Only ${w.submittedBy} may go into this work: it runs under an account of its own, or the project keeps it so.` : 'Your role lets you see this work, not go into it.'}
      </Empty>
    </Card>
  );
}
