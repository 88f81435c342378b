// Where a new workload starts: a template of the lab, or a tool that needs no further knowledge.
import { useQuery } from '@tanstack/react-query';
import { useAllowed } from '@/api/queries';
import { assets, type Asset } from '@/pages/new-workload/assets';
import { Choice } from '@/pages/new-workload/cards';
import { PRESETS, type Preset } from '@/pages/new-workload/presets';
import { describe, type Parts } from '@/pages/new-workload/templates';
import { Card } from '@/ui/page';

const DATA = ['nfs-assets', 'host-path-assets', 'git-assets', 's3-assets', 'pvc-assets'];

/** Templates and what they are made of; undefined while they are read. */
export function useTemplates(projectId: string): { templates: Asset[]; parts: Parts } | undefined {
  const allowed = useAllowed();
  const templates = useQuery({ ...assets('workload-template', projectId), enabled: allowed('templates') });
  const environments = useQuery({ ...assets('environment', projectId), enabled: allowed('environments') });
  const computes = useQuery({ ...assets('compute', projectId), enabled: allowed('compute-resources') });
  const data = useQuery({ ...assets('datasource', projectId), enabled: DATA.some((kind) => allowed(kind)) });
  const all = [templates, environments, computes, data];
  if (all.some((one) => one.isLoading)) return undefined;
  return { templates: templates.data ?? [], parts: { environments: environments.data ?? [], computes: computes.data ?? [], data: data.data ?? [] } };
}

interface StartFromProps {
  projectId: string;
  chosen: string;
  onTemplate: (template: Asset, parts: Parts) => void;
  onPreset: (preset: Preset) => void;
  mayOpenWorkspaces: boolean;
}

export function StartFrom({ projectId, chosen, onTemplate, onPreset, mayOpenWorkspaces }: StartFromProps) {
  const known = useTemplates(projectId);
  const templates = known?.templates ?? [];
  if (templates.length === 0 && !mayOpenWorkspaces) return null;
  return (
    <Card title="Start from">
      <div className="choices" role="group" aria-label="Start from">
        {templates.map((t) => (
          <Choice key={t.meta.id} name={t.meta.name} note={known ? describe(t, known.parts) || 'Template' : ''} on={chosen === t.meta.id} onClick={() => known && onTemplate(t, known.parts)} />
        ))}
        {mayOpenWorkspaces ? PRESETS.map((preset) => <Choice key={preset.id} name={preset.label} note={preset.about} on={chosen === preset.id} onClick={() => onPreset(preset)} />) : null}
      </div>
    </Card>
  );
}
