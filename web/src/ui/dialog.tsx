import { X } from '@/ui/icons';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { IconButton } from '@/ui/button';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  foot?: ReactNode;
  wide?: boolean;
  /** Given when the dialog is a form. */
  onSubmit?: () => void;
}

/** A modal dialog on the browser's own: it keeps the focus, closes with Escape, hides the rest. */
export function Dialog({ title, onClose, children, foot, wide, onSubmit }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Where one types, else the first answer, else the text: never the cross, from which typing goes nowhere.
    const first = dialog?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea):not([type=hidden], [disabled]), .dialog-foot button');
    (first ?? dialog?.querySelector<HTMLElement>('.dialog-body'))?.focus();
    return () => dialog?.close();
  }, []);
  const body = (
    <>
      <div className="dialog-body" tabIndex={-1}>
        {children}
      </div>
      {foot ? <div className="dialog-foot">{foot}</div> : null}
    </>
  );
  return (
    <dialog
      ref={ref}
      className={`dialog ${wide ? 'wide' : ''}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header className="dialog-head">
        <h2 id={heading} className="break">
          {title}
        </h2>
        <IconButton label="Close" icon={<X size={16} />} onClick={onClose} />
      </header>
      {onSubmit ? (
        <form
          className="dialog-form"
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            onSubmit();
          }}
        >
          {body}
        </form>
      ) : (
        body
      )}
    </dialog>
  );
}
