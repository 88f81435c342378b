import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Check, ChevronsUpDown, FolderKanban } from '@/ui/icons';
import { queries } from '@/api/queries';
import { useProject } from '@/shell/project';
import { Button } from '@/ui/button';
import { Menu, type MenuEntry } from '@/ui/menu';

/** Which project the lists show. */
export function Switcher() {
  const { data, isFetching } = useQuery(queries.projects);
  const [project, choose] = useProject();
  // One that is gone, or was somebody else's, would leave every list empty.
  const gone = project !== '' && !isFetching && data !== undefined && !data.some((p) => p.id === project);
  useEffect(() => {
    if (gone) choose('');
  }, [gone, choose]);
  const name = project === '' ? 'All projects' : (data?.find((p) => p.id === project)?.name ?? 'Project');
  const mark = (on: boolean) => <Check size={15} style={{ visibility: on ? 'visible' : 'hidden' }} aria-hidden />;
  const entries: MenuEntry[] = [
    { label: 'All projects', icon: mark(project === ''), onSelect: () => choose('') },
    'line',
    ...(data ?? []).map((p) => ({ label: p.name, icon: mark(p.id === project), onSelect: () => choose(p.id) })),
  ];
  return (
    <Menu
      align="start"
      entries={entries}
      trigger={
        <Button tone="quiet" className="switcher" aria-label={`Project in view: ${name}`}>
          <FolderKanban size={15} aria-hidden />
          <span className="clip">{name}</span>
          <ChevronsUpDown size={14} aria-hidden />
        </Button>
      }
    />
  );
}
