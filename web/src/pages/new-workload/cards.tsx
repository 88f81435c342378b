import { useQuery } from '@tanstack/react-query';
import { Check } from '@/ui/icons';
import { assets, innerSpec, isMounted, mayMount, withData, type Asset } from '@/pages/new-workload/assets';
import { textAt, type Spec } from '@/pages/new-workload/draft';
import type { Part } from '@/pages/new-workload/sections';

interface CardsProps {
  path: string;
  label: string;
  part: Part;
  take: (spec: Spec, asset: Asset) => Spec;
  describe: (spec: Spec) => string;
  chosen: (spec: Spec, asset: Asset) => boolean;
}

export function AssetCards({ path, label, part, take, describe, chosen }: CardsProps) {
  const list = useQuery(assets(path, part.projectId));
  if (!list.data || list.data.length === 0) return null;
  return (
    <div className="choices" role="group" aria-label={label}>
      {list.data.map((asset) => (
        <Choice key={asset.meta.id} name={asset.meta.name} note={describe(asset.spec as Spec)} on={chosen(part.draft.spec, asset)} onClick={() => part.change({ spec: take(part.draft.spec, asset) })} />
      ))}
    </div>
  );
}

export function Choice({ name, note, on, onClick }: { name: string; note: string; on: boolean; onClick: () => void }) {
  return (
    <button type="button" className="choice" aria-pressed={on} onClick={onClick}>
      <span className="row between">
        <span className="strong clip">{name}</span>
        {on ? <Check size={14} aria-hidden /> : null}
      </span>
      <span className="tiny muted clip" title={note}>
        {note}
      </span>
    </button>
  );
}

export function DataCards({ part }: { part: Part }) {
  const list = useQuery(assets('datasource', part.projectId));
  const usable = (list.data ?? []).filter(mayMount);
  const { spec } = part.draft;
  if (usable.length === 0) {
    return <p className="small muted">No data source is defined for this project. What is written inside a container without one is lost at its end.</p>;
  }
  return (
    <div className="choices" role="group" aria-label="Data sources">
      {usable.map((asset) => (
        <Choice
          key={asset.meta.id}
          name={asset.meta.name}
          note={`${asset.meta.kind} → ${textAt(innerSpec(asset), 'mountPath') || textAt(innerSpec(asset), 'path')}`}
          on={isMounted(spec, asset)}
          onClick={() => part.change({ spec: withData(spec, asset, !isMounted(spec, asset)) })}
        />
      ))}
    </div>
  );
}
