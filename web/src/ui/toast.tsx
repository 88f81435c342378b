import { CheckCircle2, CircleX, X } from '@/ui/icons';
import { Store, useStore } from '@/lib/store';
import { IconButton } from '@/ui/button';

interface Toast {
  id: number;
  tone: 'ok' | 'bad';
  text: string;
}

const toasts = new Store<Toast[]>([]);
let next = 1;

const dismiss = (id: number) => toasts.set(toasts.get().filter((t) => t.id !== id));

export function toast(text: string, tone: 'ok' | 'bad' = 'ok'): void {
  const id = next++;
  toasts.set([...toasts.get().slice(-3), { id, tone, text }]);
  setTimeout(() => dismiss(id), tone === 'ok' ? 4000 : 9000);
}

export function toastError(error: unknown): void {
  toast(error instanceof Error ? error.message : String(error), 'bad');
}

export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((t) => (
        <div key={t.id} className="toast">
          {t.tone === 'ok' ? <CheckCircle2 size={16} color="var(--ok)" aria-hidden /> : <CircleX size={16} color="var(--bad)" aria-hidden />}
          <span className="grow">{t.text}</span>
          <IconButton small label="Dismiss" icon={<X size={14} />} onClick={() => dismiss(t.id)} />
        </div>
      ))}
    </div>
  );
}
