// The project in view. It is part of the address, so links carry it, and it is remembered.
import { useCallback, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { Store, keep, kept, useStore } from '@/lib/store';

const KEY = 'gpuyard.project';
const chosen = new Store<string>(kept(KEY, ''));

const idIn = (search: string) => {
  const id = new URLSearchParams(search).get('project');
  return id === 'all' ? '' : id;
};

/** Pages that show one project's part. On the others the choice would change nothing, so it is not offered. */
const FOLLOW = ['/my-work', '/workloads', '/runs', '/reports', '/studies', '/queue', '/analytics'];
export const followsProject = (pathname: string) => FOLLOW.includes(pathname) || pathname === '/' || pathname === '/workloads/new' || pathname === '/studies/new';

/** The project in view at an address, by its id, or '' for all. */
export const projectOf = (search: string): string => idIn(search) ?? chosen.get();

/** Id of the project in view, or '' for all. */
export function useProject(): [string, (id: string) => void] {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const remembered = useStore(chosen);
  const inAddress = idIn(search);
  useEffect(() => {
    if (inAddress === null) return;
    keep(KEY, inAddress);
    chosen.set(inAddress);
  }, [inAddress]);
  const choose = useCallback(
    (id: string) => {
      keep(KEY, id);
      chosen.set(id);
      const params = new URLSearchParams(search);
      params.set('project', id || 'all');
      params.delete('page');
      navigate({ pathname, search: params.toString(), hash }, { replace: true });
    },
    [navigate, pathname, search, hash],
  );
  return [inAddress ?? remembered, choose];
}
