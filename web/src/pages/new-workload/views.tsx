import { useEffect, useRef, useState } from 'react';
import { toCli } from '@/pages/new-workload/cli';
import type { Draft } from '@/pages/new-workload/draft';
import { fromEditedCli, namesOf, unsaid } from '@/pages/new-workload/keep';
import { fromYaml, toYaml, type Parsed } from '@/pages/new-workload/yaml';
import { Copy } from '@/ui/copy';
import { Segments } from '@/ui/field';
import { Card } from '@/ui/page';

interface EditorProps {
  label: string;
  text: string;
  rows: number;
  parse: (text: string) => Parsed;
  onDraft: (draft: Draft) => void;
}

/** Text that follows the draft, and that the draft follows while it is edited. */
function Editor({ label, text, rows, parse, onDraft }: EditorProps) {
  const [own, setOwn] = useState(text);
  const [problem, setProblem] = useState<string | null>(null);
  const editing = useRef(false);
  useEffect(() => {
    if (!editing.current) {
      setOwn(text);
      setProblem(null);
    }
  }, [text]);
  const edit = (next: string) => {
    setOwn(next);
    const parsed = parse(next);
    setProblem(parsed.ok ? null : parsed.message);
    if (parsed.ok) onDraft(parsed.draft);
  };
  return (
    <div className="stack tight">
      <textarea
        className="textarea mono"
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        spellCheck={false}
        rows={rows}
        value={own}
        onFocus={() => (editing.current = true)}
        onBlur={() => {
          editing.current = false;
          if (!problem) setOwn(text);
        }}
        onChange={(e) => edit(e.target.value)}
      />
      {problem ? <div className="field-error">{problem}</div> : null}
    </div>
  );
}

export function Views({ draft, onDraft }: { draft: Draft; onDraft: (draft: Draft) => void }) {
  const [view, setView] = useState<'yaml' | 'cli'>('yaml');
  const line = toCli(draft);
  const left = view === 'cli' ? namesOf(unsaid(draft)) : [];
  const text = view === 'yaml' ? toYaml(draft) : (line ?? '');
  return (
    <Card
      title={<Segments label="View" value={view} onChange={setView} options={[['yaml', 'YAML'], ['cli', 'Command line']]} />}
      actions={<Copy text={text} />}
    >
      {view === 'yaml' ? (
        <Editor key="yaml" label="YAML" rows={16} text={text} parse={fromYaml} onDraft={onDraft} />
      ) : line === null ? (
        <p className="small muted">Inference has no command of its own; save the YAML and use gpuyard apply -f.</p>
      ) : (
        <Editor key="cli" label="Command line" rows={6} text={line} parse={(edited) => fromEditedCli(edited, draft)} onDraft={onDraft} />
      )}
      {view === 'cli' && left.length > 0 ? <p className="field-hint">Not on the command line, but kept: {left.join(', ')}. Use the YAML with gpuyard apply -f to have all of it.</p> : null}
      <p className="field-hint">Editable: the form follows.</p>
    </Card>
  );
}
