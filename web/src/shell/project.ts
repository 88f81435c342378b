// The project in view. It is part of the address, so links carry it, and it is remembered.
import { useCallback, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { Store, keep, kept, useStore } from '@/lib/store';

const KEY = 'gpuyard.project';
const chosen = new Store<string>(kept(KEY, ''));

/** Id of the project in view, or '' for all. */
export function useProject(): [string, (id: string) => void] {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const remembered = useStore(chosen);
  const inAddress = new URLSearchParams(search).get('project');
  useEffect(() => {
    if (inAddress === null) return;
    const id = inAddress === 'all' ? '' : inAddress;
    keep(KEY, id);
    chosen.set(id);
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
  return [inAddress === null ? remembered : inAddress === 'all' ? '' : inAddress, choose];
}
