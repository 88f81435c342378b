import { useState, type ReactNode } from 'react';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { ErrorNotice } from '@/ui/state';

interface ConfirmProps {
  title: string;
  /** What will happen and what is lost. */
  children: ReactNode;
  action: string;
  danger?: boolean;
  run: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that cannot be taken back; stays open with the reason when refused. */
export function Confirm({ title, children, action, danger, run, onClose }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      await run();
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone={danger ? 'danger' : 'primary'} disabled={busy}>
            {busy ? 'Working…' : action}
          </Button>
        </>
      }
    >
      <div className="stack">
        <div className="stack tight soft">{children}</div>
        <ErrorNotice error={error} />
      </div>
    </Dialog>
  );
}
