import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Boxes, Pencil, ShieldCheck, Trash2 } from '@/ui/icons';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { api } from '@/api/client';
import { queries, useAllowed, type Project } from '@/api/queries';
import { unlimited } from '@/lib/quantity';
import type { Spec } from '@/lib/paths';
import { editable, QuotasAndRules, sendable } from '@/pages/projects/units';
import { Confirm } from '@/ui/confirm';
import { EntityDialog, type FieldSpec } from '@/ui/entity-form';
import { Phase } from '@/ui/phase';
import { Promised, QuotaBar } from '@/ui/quota';
import { ResourcePage } from '@/ui/resource-page';
import type { Column } from '@/ui/table';
import { Time } from '@/ui/time';
import { toast } from '@/ui/toast';

const used = (p: Project) => p.status.quotaStatus?.allocated?.gpu ?? 0;
const limit = (p: Project) => (p.resources.some((r) => (r.gpu.limit ?? -1) < 0) ? -1 : p.resources.reduce((sum, r) => sum + (r.gpu.limit ?? 0), 0));

const COLUMNS: Column<Project>[] = [
  { id: 'name', header: 'Name', cell: (p) => <Link className="strong" to={`/projects/${p.id}`}>{p.name}</Link>, text: (p) => p.name },
  { id: 'department', header: 'Department', cell: (p) => p.parent?.name ?? '–', text: (p) => p.parent?.name },
  { id: 'phase', header: 'Status', cell: (p) => <Phase phase={p.status.phase ?? 'Unknown'} />, text: (p) => p.status.phase },
  { id: 'use', header: 'Use of the quota', cell: (p) => <QuotaBar quota={p.totalResources.gpuQuota ?? 0} status={p.status.quotaStatus} />, text: used },
  { id: 'quota', header: 'Quota', right: true, cell: (p) => <Promised total={p.totalResources.gpuQuota} warning={p.status.phaseMessage} />, text: (p) => p.totalResources.gpuQuota },
  { id: 'limit', header: 'At most', right: true, cell: (p) => unlimited(limit(p)), text: limit },
  { id: 'pools', header: 'Node pools', cell: (p) => p.resources.map((r) => r.nodePool?.name).join(', ') || '–', text: (p) => p.resources.map((r) => r.nodePool?.name).join(' ') },
  { id: 'created', header: 'Created', cell: (p) => <Time at={p.createdAt} />, text: (p) => p.createdAt },
];

export default function Projects() {
  const rows = useQuery(queries.projects);
  const allowed = useAllowed();
  const navigate = useNavigate();
  const [editing, setEditing] = useState<Project | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Project | null>(null);
  return (
    <>
      <ResourcePage
        title="Projects"
        what="projects"
        sub="Who may use how many GPUs, guaranteed and borrowed"
        rows={rows}
        columns={COLUMNS}
        rowId={(p) => p.id}
        nameOf={(p) => p.name}
        onCreate={allowed('project', 'create') && (() => setEditing('new'))}
        createLabel="New project"
        teach="A project holds the work of a group and its quota of GPUs. Make one, then give people access to it."
        menu={(p) => [
          { label: 'Show its workloads', icon: <Boxes size={15} />, onSelect: () => navigate(`/workloads?project=${p.id}`) },
          allowed('access_rules') && { label: 'Access rules', icon: <ShieldCheck size={15} />, onSelect: () => navigate(`/access-rules?q=${encodeURIComponent(p.name)}`) },
          allowed('project', 'update') && { label: 'Edit…', icon: <Pencil size={15} />, onSelect: () => setEditing(p) },
          allowed('project', 'delete') && { label: 'Delete…', icon: <Trash2 size={15} />, danger: true, onSelect: () => setDeleting(p) },
        ]}
      />
      {editing ? <ProjectDialog project={editing === 'new' ? null : editing} onClose={() => setEditing(null)} /> : null}
      {deleting ? <DeleteProject project={deleting} onClose={() => setDeleting(null)} /> : null}
    </>
  );
}

function ProjectDialog({ project, onClose }: { project: Project | null; onClose: () => void }) {
  const client = useQueryClient();
  const allowed = useAllowed();
  const departments = useQuery({ ...queries.departments, enabled: allowed('department') });
  const clusters = useQuery(queries.clusters);
  const names: [string, string][] = (departments.data ?? []).map((d) => [d.id, d.name]);
  const fields: FieldSpec[] = [
    ...(project ? [] : [{ path: 'name', label: 'Name', required: true, placeholder: 'vision' }]),
    ...(project ? [] : [{ path: 'parentId', label: 'Department', kind: 'select' as const, options: [['', 'the default one'] as [string, string], ...names] }]),
    { path: 'description', label: 'Description' },
  ];
  const save = async (value: Spec) => {
    const body = sendable(value);
    if (project) {
      delete body.name;
      delete body.parentId;
      await api.put(`/api/v1/org-unit/projects/${project.id}`, body);
    } else await api.post('/api/v1/org-unit/projects', { ...body, clusterId: clusters.data?.[0]?.uuid });
    toast('The project is saved');
    void client.invalidateQueries({ queryKey: ['project'] });
  };
  return <EntityDialog wide title={project ? `Edit ${project.name}` : 'New project'} fields={fields} initial={editable(project)} save={save} onClose={onClose} extra={(value, onChange) => <QuotasAndRules value={value} onChange={onChange} />} />;
}

function DeleteProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const client = useQueryClient();
  const run = async () => {
    await api.del(`/api/v1/org-unit/projects/${project.id}`);
    toast(`${project.name} is deleted`);
    void client.invalidateQueries({ queryKey: ['project'] });
  };
  return (
    <Confirm title={`Delete the project ${project.name}?`} action="Delete" danger run={run} onClose={onClose}>
      <p>Only a project without workloads can be deleted: delete those first. Its quota becomes free for others; its assets and access rules are deleted with it. This cannot be undone.</p>
    </Confirm>
  );
}
