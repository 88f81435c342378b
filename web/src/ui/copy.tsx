import { Check, Copy as CopyIcon } from '@/ui/icons';
import { useState } from 'react';
import { copyText } from '@/lib/browser';
import { IconButton } from '@/ui/button';

export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <IconButton small label={done ? 'Copied' : label} icon={done ? <Check size={14} /> : <CopyIcon size={14} />} onClick={() => void copy()} />
  );
}

/** Text that is worth copying: an id, a command, a file. */
export function CodeBox({ text, wraps = false, label }: { text: string; wraps?: boolean; label?: string }) {
  return (
    <div className={`codebox ${wraps ? 'wraps' : ''}`}>
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Copy text={text} />
    </div>
  );
}

export function CopyValue({ text }: { text: string }) {
  return (
    <span className="row">
      <span className="mono small break">{text}</span>
      <Copy text={text} />
    </span>
  );
}
