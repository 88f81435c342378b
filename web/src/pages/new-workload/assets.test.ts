import { describe, expect, it } from 'vitest';
import { withData, withEnvironment, type Asset } from '@/pages/new-workload/assets';

const asset = (name: string, kind: string, spec: object) => ({ meta: { id: `id-of-${name}`, name, kind, scope: 'tenant' }, spec }) as unknown as Asset;

describe('assets in a draft', () => {
  it('are taken over and named, for the server to keep', () => {
    const spec = withEnvironment({}, asset('lab', 'environment', { image: 'lab:1' }));
    expect(spec).toEqual({ image: 'lab:1', assets: { environment: 'lab', environmentId: 'id-of-lab', applied: true } });
  });
  it('are named no longer once they are taken out', () => {
    const home = asset('home', 'nfs', { server: 's', path: '/p', mountPath: '/m' });
    const on = withData({}, home, true);
    expect(on.assets).toEqual({ datasources: [{ id: 'id-of-home', name: 'home', type: 'nfs' }], applied: true });
    expect(withData(on, home, false)).toEqual({ assets: { applied: true } });
  });
});
