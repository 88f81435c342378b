// Everything with a name: what runs first, then the newest, then the rest of the lab.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schemas } from '@/api/client';
import { queries, useAllowed, useSeesWork, type Workload } from '@/api/queries';
import { reservations } from '@/api/reservations';
import { reports } from '@/api/reports';
import { runs } from '@/api/runs';
import { studies } from '@/api/studies';
import { assets, type Asset } from '@/pages/new-workload/assets';
import { ICONS, isRunning, isWaiting } from '@/pages/workloads/kinds';
import { has, type Hit } from '@/shell/palette-actions';
import { Boxes, Building2, CalendarRange, Cpu, Database, FlaskConical, FolderKanban, KeyRound, LayoutTemplate, NotebookPen, Package, Server, Target, UserCog, Users, Workflow } from '@/ui/icons';

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;
const MOST = 6;

/** Running before waiting before ended; one's own before others'; the newest first. */
export function ranked(list: Workload[], me: string | undefined): Workload[] {
  const score = (w: Workload) => (isRunning(w.phase) ? 4 : isWaiting(w.phase) ? 2 : 0) + (w.submittedBy === me ? 1 : 0);
  return [...list].sort((a, b) => score(b) - score(a) || Date.parse(b.createdAt) - Date.parse(a.createdAt));
}

function workloadHit(w: Workload): Hit {
  const Icon = ICONS[w.type] ?? Boxes;
  return { key: w.id, label: w.name, note: `${w.phase} · ${w.projectName} · ${w.submittedBy ?? ''}`, icon: <Icon size={16} />, to: `/workloads/${w.id}` };
}

function useWorkloadHits(text: string): { hits: Hit[]; searching: boolean } {
  const on = useSeesWork() && text.length > 0;
  const me = useQuery(queries.me).data?.username;
  const words = text.split(/[\s,]+/).filter(Boolean).map((word) => `name=@${word}`).join(',');
  const kept = { placeholderData: keepPreviousData };
  const running = useQuery({ ...queries.workloads({ filterBy: `phase==Running,${words}`, sortBy: 'createdAt', sortOrder: 'desc', limit: 8 }), enabled: on, ...kept });
  const newest = useQuery({ ...queries.workloads({ filterBy: words, sortBy: 'createdAt', sortOrder: 'desc', limit: 8 }), enabled: on, ...kept });
  const byId = useQuery({ ...queries.workload(text), enabled: ID.test(text), retry: false });
  const hits = useMemo(() => {
    if (!on) return [];
    const all = [...(running.data?.workloads ?? []), ...(newest.data?.workloads ?? []), ...(byId.data ? [byId.data as Workload] : [])];
    const once = [...new Map(all.map((w) => [w.id, w])).values()].filter((w) => has(w.name, text) || w.id === text);
    return ranked(once, me).slice(0, 8).map(workloadHit);
  }, [on, text, me, running.data, newest.data, byId.data]);
  return { hits, searching: on && [running, newest].some((answer) => answer.isFetching) };
}

const ASSETS: [list: string, needs: string[], path: string, note: string, icon: typeof Package][] = [
  ['environment', ['environments'], '/environments', 'Environment', Package],
  ['workload-template', ['templates'], '/templates', 'Template', LayoutTemplate],
  ['compute', ['compute-resources'], '/compute', 'Compute resource', Cpu],
  ['datasource', ['nfs-assets', 'host-path-assets', 'git-assets', 's3-assets', 'pvc-assets'], '/data-sources', 'Data source', Database],
  ['credentials', ['credentials'], '/credentials', 'Credential', KeyRound],
];

function pageOf(list: string, path: string, asset: Asset): string {
  if (list === 'workload-template') return `/workloads/new?template=${asset.meta.id}`;
  return list === 'environment' ? `${path}/${asset.meta.id}` : `${path}?q=${encodeURIComponent(asset.meta.name)}`;
}

/** One list of assets, by name. */
function useAssetHits(index: number, text: string): Hit[] {
  const allowed = useAllowed();
  const [list, needs, path, note, Icon] = ASSETS[index] as (typeof ASSETS)[number];
  const all = useQuery({ ...assets(list, ''), enabled: text.length > 0 && needs.some((need) => allowed(need)) });
  if (text.length === 0) return [];
  return (all.data ?? [])
    .filter((asset) => has(asset.meta.name, text))
    .slice(0, MOST)
    .map((asset) => ({ key: asset.meta.id, label: asset.meta.name, note, icon: <Icon size={16} />, to: pageOf(list, path, asset) }));
}

export function useThingHits(text: string): { things: Hit[]; searching: boolean } {
  const allowed = useAllowed();
  const on = text.length > 0;
  const work = useWorkloadHits(text);
  const projects = useQuery({ ...queries.projects, enabled: allowed('project') });
  const departments = useQuery({ ...queries.departments, enabled: on && allowed('department') });
  const pools = useQuery({ ...queries.nodePools, enabled: on && allowed('nodepools') });
  const roles = useQuery({ queryKey: ['role', 'all'], queryFn: () => api.get<Schemas['Role'][]>('/api/v1/authorization/roles'), enabled: on && allowed('roles') });
  const reserved = useQuery({ ...reservations, enabled: on && allowed('project') });
  const tuned = useQuery({ ...studies.list({ search: text, sortBy: 'createdAt', sortOrder: 'desc', limit: MOST }), enabled: on && allowed('trainings'), refetchInterval: false });
  const written = useQuery({ ...reports.list({ search: text, sortBy: 'updatedAt', sortOrder: 'desc', limit: MOST }), enabled: on && allowed('trainings') });
  const tracked = useQuery({ ...runs.list({ search: text, sortBy: 'startedAt', sortOrder: 'desc', limit: MOST }), enabled: on && allowed('trainings'), refetchInterval: false });
  const nodes = useQuery({ ...queries.nodes(text, 0, MOST), enabled: on && allowed('nodes') });
  const users = useQuery({
    queryKey: ['user', 'search', text],
    queryFn: () => api.get<Schemas['User'][]>('/api/v1/users', { search: text, limit: MOST }),
    enabled: on && allowed('users'),
    placeholderData: keepPreviousData,
  });
  const assetHits = [useAssetHits(0, text), useAssetHits(1, text), useAssetHits(2, text), useAssetHits(3, text), useAssetHits(4, text)].flat();
  const find = <T,>(list: T[] | undefined, name: (one: T) => string, make: (one: T) => Hit): Hit[] =>
    on
      ? (list ?? [])
          .filter((one) => has(name(one), text))
          .slice(0, MOST)
          .map(make)
      : [];
  const named = (path: string, name: string) => `${path}?q=${encodeURIComponent(name)}`;
  const things = [
    ...work.hits,
    ...find(tuned.data?.studies, (s) => s.name, (s) => ({ key: `study ${s.id}`, label: s.name, note: `Study · ${s.state}`, icon: <Target size={16} />, to: `/studies/${s.id}` })),
    ...find(tracked.data?.runs, (r) => r.name, (r) => ({ key: `run ${r.id}`, label: r.name, note: `Run · ${r.experimentName} · ${r.projectName}`, icon: <FlaskConical size={16} />, to: `/runs/${r.id}` })),
    ...find(written.data?.reports, (r) => r.title, (r) => ({ key: `report ${r.id}`, label: r.title, note: `Report · ${r.projectName}`, icon: <NotebookPen size={16} />, to: `/reports/${r.id}` })),
    ...find(projects.data, (p) => p.name, (p) => ({ key: `p${p.id}`, label: p.name, note: 'Project', icon: <FolderKanban size={16} />, to: `/projects/${p.id}` })),
    ...find(departments.data, (d) => d.name, (d) => ({ key: `d${d.id}`, label: d.name, note: 'Department', icon: <Building2 size={16} />, to: named('/departments', d.name) })),
    ...find(nodes.data?.nodes, (n) => n.name, (n) => ({ key: `n${n.name}`, label: n.name, note: 'Node', icon: <Server size={16} />, to: `/nodes/${encodeURIComponent(n.name)}` })),
    ...find(users.data, (u) => u.username, (u) => ({ key: `u${u.id}`, label: u.username, note: 'User', icon: <Users size={16} />, to: `/users/${encodeURIComponent(u.username)}` })),
    ...assetHits,
    ...find(reserved.data, (r) => r.name, (r) => ({ key: r.id, label: r.name, note: `Reservation · ${r.projectName}`, icon: <CalendarRange size={16} />, to: `/reservations?reservation=${r.id}` })),
    ...find(pools.data, (p) => p.name, (p) => ({ key: `pool ${p.id}`, label: p.name, note: 'Node pool', icon: <Workflow size={16} />, to: `/node-pools/${encodeURIComponent(p.name)}` })),
    ...find(roles.data, (r) => r.name, (r) => ({ key: `r${r.id}`, label: r.name, note: 'Role', icon: <UserCog size={16} />, to: named('/roles', r.name) })),
  ];
  return { things, searching: work.searching || (on && [nodes, users].some((answer) => answer.isFetching)) };
}
