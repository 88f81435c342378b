import { useQueryClient } from '@tanstack/react-query';
import { act, type QueueLine } from '@/api/engine';
import { isMovable, step, type Move } from '@/pages/queue/reorder';
import { IconButton } from '@/ui/button';
import { Confirm } from '@/ui/confirm';
import { ArrowDown, ArrowUp } from '@/ui/icons';
import { toast } from '@/ui/toast';

interface MoveButtonsProps {
  line: QueueLine;
  lines: QueueLine[];
  me: string | undefined;
  onMove: (move: Move) => void;
}

export function MoveButtons({ line, lines, me, onMove }: MoveButtonsProps) {
  if (!isMovable(line, me)) return null;
  const up = step(lines, line, 'up');
  const down = step(lines, line, 'down');
  if (!up && !down) return null;
  return (
    <span className="row move">
      <IconButton small label={`Move ${line.name} up`} icon={<ArrowUp size={14} />} disabled={!up} onClick={() => up && onMove(up)} />
      <IconButton small label={`Move ${line.name} down`} icon={<ArrowDown size={14} />} disabled={!down} onClick={() => down && onMove(down)} />
    </span>
  );
}

/** A place is a priority, so the question says what else changes with it. */
export function MoveDialog({ move, onClose }: { move: Move; onClose: () => void }) {
  const client = useQueryClient();
  const { line, other, side, priorityClass } = move;
  const run = async () => {
    await act.prioritize(line.workloadId, priorityClass);
    toast(`${line.name} has the priority ${priorityClass}`);
    void client.invalidateQueries({ queryKey: ['queue'] });
  };
  return (
    <Confirm title={`Move ${line.name} ${side} ${other.name}?`} action="Move" run={run} onClose={onClose}>
      <p>
        Its priority changes from <strong>{line.terms?.priorityClass}</strong> to <strong>{priorityClass}</strong>. Inside project {line.projectName} work of higher priority comes first, that of others as well as yours.
      </p>
    </Confirm>
  );
}
