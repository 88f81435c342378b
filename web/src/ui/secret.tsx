import { Button } from '@/ui/button';
import { CodeBox } from '@/ui/copy';
import { Dialog } from '@/ui/dialog';
import { Notice } from '@/ui/state';

/** Something that is shown once and never again. */
export function SecretDialog({ title, lines, onClose }: { title: string; lines: [label: string, text: string][]; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose} foot={<Button tone="primary" onClick={onClose}>Done</Button>}>
      <div className="stack">
        <Notice tone="wait">This is shown only once. Copy it now.</Notice>
        {lines.map(([label, text]) => (
          <div key={label} className="stack close">
            <span className="field-label">{label}</span>
            <CodeBox wraps text={text} label={label} />
          </div>
        ))}
      </div>
    </Dialog>
  );
}
