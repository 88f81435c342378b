import { useQuery } from '@tanstack/react-query';
import { NavLink } from 'react-router-dom';
import { queries, useAllowed } from '@/api/queries';
import { Brand } from '@/shell/brand';
import { GROUPS, type PlaceGroup } from '@/shell/nav';

/** The groups with what the person may open; an empty group is not shown. */
export function usePlaces(): PlaceGroup[] {
  const allowed = useAllowed();
  return GROUPS.map((group) => ({
    ...group,
    places: group.places.filter((place) => !place.needs || place.needs.some((need) => allowed(need))),
  })).filter((group) => group.places.length > 0);
}

export function Sidebar({ open }: { open: boolean }) {
  const groups = usePlaces();
  const version = useQuery(queries.version);
  return (
    <aside className={`sidebar ${open ? 'open' : ''}`} aria-label="Pages">
      <Brand />
      <nav className="nav" aria-label="Main">
        {groups.map((group) => (
          <div key={group.label}>
            <div className="nav-group">{group.label}</div>
            <ul>
              {group.places.map(({ path, label, icon: Icon }) => (
                <li key={path}>
                  <NavLink to={path} className="nav-link">
                    <Icon size={16} /> {label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="sidebar-foot">{version.data ? `Version ${version.data.version}` : 'Gpuyard'}</div>
    </aside>
  );
}
