import { cloneElement, useId, useState, type ReactElement, type ReactNode } from 'react';
import { durationText, parseDuration } from '@/lib/time';

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  required?: boolean;
  children: ReactElement<{ id?: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }>;
}

export function Field({ label, hint, error, required, children }: FieldProps) {
  const id = useId();
  const about = hint || error ? `${id}-about` : undefined;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {required ? (
          <span className="field-required" aria-hidden title="Required">
            {' '}
            *
          </span>
        ) : null}
      </label>
      {cloneElement(children, { id, 'aria-describedby': about, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <div className="field-error" id={about}>
          {error}
        </div>
      ) : hint ? (
        <div className="field-hint" id={about}>
          {hint}
        </div>
      ) : null}
    </div>
  );
}

export function Check({ label, checked, onChange, hint }: { label: ReactNode; checked: boolean; onChange: (on: boolean) => void; hint?: ReactNode }) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(e) => onChange(e.target.checked)} />
      <span>
        {label}
        {hint ? <span className="field-hint"> {hint}</span> : null}
      </span>
    </label>
  );
}

export function Segments<T extends string>({ value, options, onChange, label }: { value: T; options: [T, ReactNode][]; onChange: (v: T) => void; label: string }) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {options.map(([id, text]) => (
        <button key={id} type="button" aria-pressed={id === value} onClick={() => onChange(id)}>
          {text}
        </button>
      ))}
    </div>
  );
}

interface DurationInputProps {
  /** Seconds; nothing for none. */
  seconds: unknown;
  onChange: (seconds: number | undefined) => void;
  name?: string;
  placeholder?: string;
  /** Set by the field around it. */
  id?: string;
  'aria-describedby'?: string;
}

/** A length of time as people write it: 90m, 2h, 1d. A plain number is hours. */
export function DurationInput({ seconds, onChange, placeholder = '2h', ...rest }: DurationInputProps) {
  const known = typeof seconds === 'number' && seconds > 0 ? seconds : null;
  const [text, setText] = useState(known === null ? '' : durationText(known));
  const read = parseDuration(text);
  // What was changed elsewhere, such as in the YAML, is shown.
  const shown = text.trim() !== '' && read === null ? text : read === known ? text : known === null ? '' : durationText(known);
  const bad = shown.trim() !== '' && parseDuration(shown) === null;
  const type = (next: string) => {
    setText(next);
    const value = parseDuration(next);
    if (next.trim() === '') onChange(undefined);
    else if (value !== null) onChange(value);
  };
  return <input className="input" autoComplete="off" value={shown} placeholder={placeholder} aria-invalid={bad || undefined} onChange={(e) => type(e.target.value)} {...rest} />;
}
