import { CircleHelp, LogOut, Menu as MenuIcon, Monitor, Moon, Plus, Search, Sun, UserRound } from '@/ui/icons';
import { useEffect, useState } from 'react';
import { Link, Outlet, useLocation, useNavigate, useNavigation } from 'react-router-dom';
import type { Live } from '@/api/live';
import { useAllowed, useSeesWork, type Me } from '@/api/queries';
import { signOut } from '@/api/session';
import { here, within } from '@/lib/place';
import { useStore } from '@/lib/store';
import { followSystem, setTheme, theme } from '@/lib/theme';
import { ConnectionBanner, MessageOfTheDay } from '@/shell/banners';
import { FirstPassword } from '@/shell/first-password';
import { Palette } from '@/shell/palette';
import { Inbox } from '@/shell/inbox';
import { useRowKeys } from '@/shell/row-keys';
import { useMayCreate } from '@/pages/workloads/kinds';
import { helpFor } from '@/shell/help';
import { followsProject } from '@/shell/project';
import { Sidebar } from '@/shell/sidebar';
import { Switcher } from '@/shell/switcher';
import { Button, IconButton } from '@/ui/button';
import { Menu } from '@/ui/menu';

export function Layout({ me, live }: { me: Me; live: Live }) {
  const [drawer, setDrawer] = useState(false);
  const [finding, setFinding] = useState(false);
  const { pathname, search } = useLocation();
  useEffect(() => setDrawer(false), [pathname]);
  useShortcuts(() => setFinding(true));
  useRowKeys();
  return (
    <div className="shell" data-shows={pathname + search}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Sidebar open={drawer} />
      {drawer ? <button type="button" className="scrim" aria-label="Close the menu" onClick={() => setDrawer(false)} /> : null}
      <div className="column">
        <TopBar me={me} onMenu={() => setDrawer(!drawer)} onFind={() => setFinding(true)} />
        <ConnectionBanner live={live} />
        <MessageOfTheDay />
        <FirstPassword me={me} />
        <Progress />
        <Outlet />
      </div>
      {finding ? <Palette onClose={() => setFinding(false)} /> : null}
    </div>
  );
}

function Progress() {
  return useNavigation().state === 'loading' ? <div className="progress" role="progressbar" aria-label="Loading the page" /> : null;
}

/** `g`, then a letter. */
const GO: Record<string, string> = { m: '/my-work', w: '/workloads', q: '/queue', e: '/runs', s: '/studies', o: '/overview', n: '/nodes', t: '/timeline', r: '/reservations', p: '/projects', u: '/users', a: '/analytics' };
const GO_WITHIN = 1500;

function useShortcuts(find: () => void) {
  const navigate = useNavigate();
  const mayCreate = useMayCreate();
  useEffect(() => {
    let going = 0;
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable], .xterm, [role=menu], [role=dialog], dialog');
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        find();
      } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        if (event.key === '/') {
          event.preventDefault();
          find();
        } else if (Date.now() - going < GO_WITHIN && GO[event.key]) {
          going = 0;
          navigate(GO[event.key] as string);
        } else if (event.key === 'g') going = Date.now();
        else if (event.key === 'n' && mayCreate) navigate('/workloads/new');
        else if (event.key === '?') window.open(here(helpFor(within(location.pathname))), '_blank', 'noreferrer');
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [find, navigate, mayCreate]);
}

function TopBar({ me, onMenu, onFind }: { me: Me; onMenu: () => void; onFind: () => void }) {
  const { pathname } = useLocation();
  const allowed = useAllowed();
  const sees = useSeesWork();
  const mayCreate = useMayCreate();
  return (
    <header className="topbar">
      <IconButton className="menu-toggle" label="Menu" icon={<MenuIcon size={18} />} onClick={onMenu} />
      {followsProject(pathname) && allowed('project') ? <Switcher /> : null}
      <span className="grow" />
      <Button className="find" onClick={onFind}>
        <Search size={15} aria-hidden />
        <span className="wide-only">Search everything</span>
        <kbd className="kbd wide-only">Ctrl K</kbd>
      </Button>
      {mayCreate ? (
        <Link className="button primary" to="/workloads/new" aria-label="New workload">
          <Plus size={16} aria-hidden />
          <span className="wide-only">New workload</span>
        </Link>
      ) : null}
      <a className="button quiet icon" href={here(helpFor(pathname))} target="_blank" rel="noreferrer" aria-label="Help for this page" title="Help for this page (?)">
        <CircleHelp size={16} aria-hidden />
      </a>
      {sees ? <Inbox me={me} /> : null}
      <ThemeButton />
      <UserMenu me={me} />
    </header>
  );
}

function ThemeButton() {
  const now = useStore(theme);
  const next = now === 'dark' ? 'light' : 'dark';
  return <IconButton className="theme-toggle" label={`Use the ${next} theme`} icon={now === 'dark' ? <Sun size={16} /> : <Moon size={16} />} onClick={() => setTheme(next)} />;
}

function UserMenu({ me }: { me: Me }) {
  const navigate = useNavigate();
  const next = useStore(theme) === 'dark' ? 'light' : 'dark';
  return (
    <Menu
      trigger={
        <button type="button" className="avatar" aria-label={`Account of ${me.username}`}>
          {me.username.slice(0, 1).toUpperCase()}
        </button>
      }
      entries={[
        { heading: me.username },
        { label: `Use the ${next} theme`, icon: next === 'dark' ? <Moon size={15} /> : <Sun size={15} />, onSelect: () => setTheme(next) },
        { label: "Use the system's theme", icon: <Monitor size={15} />, onSelect: followSystem },
        { label: 'Account and tokens', icon: <UserRound size={15} />, onSelect: () => navigate('/account') },
        'line',
        { label: 'Sign out', icon: <LogOut size={15} />, onSelect: signOut },
      ]}
    />
  );
}
