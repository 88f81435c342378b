import { describe, expect, it } from 'vitest';
import { CREDENTIALS, DATA_SOURCES, kindOf } from '@/pages/assets/kinds';

describe('an asset', () => {
  it('is of the kind that the list names, in the words of the list', () => {
    expect(kindOf('hostPath', DATA_SOURCES)?.route).toBe('datasource/host-path');
    expect(kindOf('accessKey', CREDENTIALS)?.route).toBe('credentials/access-key');
    expect(kindOf('dockerRegistry', CREDENTIALS)?.route).toBe('credentials/docker-registry');
    expect(kindOf('genericSecret', CREDENTIALS)?.route).toBe('credentials/generic-secret');
  });

  it('of a kind that is not known here is taken for none', () => {
    expect(kindOf('config_map', DATA_SOURCES)).toBeUndefined();
  });
});
