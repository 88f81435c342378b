// The settings that the study was made with.
import { stringify } from 'yaml';
import type { Study, StudyParameter } from '@/api/studies';
import { choiceTexts, isConstant } from '@/pages/studies/fields';
import { fileOf } from '@/pages/studies/file';
import { CodeBox, CopyValue } from '@/ui/copy';
import { Card, Facts } from '@/ui/page';
import { Table, type Column } from '@/ui/table';
import { FullTime } from '@/ui/time';

const kindOf = (p: StudyParameter) => (isConstant(p) ? 'constant' : (p.type ?? (p.choices ? 'categorical' : 'float')));
const valuesOf = (p: StudyParameter) => {
  if (isConstant(p)) return JSON.stringify(p.value);
  if (p.choices) return choiceTexts(p).join(', ');
  return `${p.low} to ${p.high}${p.step ? `, step ${p.step}` : ''}${p.log ? ', log scale' : ''}`;
};

const COLUMNS: Column<StudyParameter>[] = [
  { id: 'name', header: 'Parameter', cell: (p) => <span className="strong break">{p.name}</span> },
  { id: 'kind', header: 'Kind', cell: kindOf },
  { id: 'values', header: 'Values', cell: (p) => <span className="num break">{valuesOf(p)}</span> },
  { id: 'when', header: 'Only when', cell: (p) => (p.when ? `${p.when.parameter} is ${p.when.values.map(String).join(' or ')}` : <span className="muted">always</span>) },
];

export function Settings({ study }: { study: Study }) {
  return (
    <div className="grid wide-right">
      <div className="stack">
        <Card title="Record">
          <Facts
            rows={[
              ['Id', <CopyValue key="i" text={study.id} />],
              ['Objectives', study.spec.objectives.map((o) => `${o.metric}, ${o.direction ?? 'minimize'}${o.result === 'best' ? ', its best value' : ''}`).join('; ')],
              ['Seed', <span key="s" className="num">{study.seed}</span>],
              ['Constraints', study.spec.constraints?.length ? study.spec.constraints.join('; ') : 'none'],
              ['Pauses after', `${study.spec.maxFailures ?? 10} failures in a row`],
              ['Began', <FullTime key="b" at={study.createdAt} />],
              ['Ended', <FullTime key="e" at={study.endedAt} />],
            ]}
          />
        </Card>
        <Card flush title="Parameters">
          <Table label="Parameters" columns={COLUMNS} rows={study.spec.parameters} rowId={(p) => p.name} density="compact" />
        </Card>
      </div>
      <Card title="YAML" actions={<span className="tiny muted">for gpuyard tune</span>}>
        <CodeBox label="YAML" text={stringify(fileOf(study), { lineWidth: 0 })} />
      </Card>
    </div>
  );
}
