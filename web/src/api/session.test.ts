import { describe, expect, it } from 'vitest';
import { nameIn } from '@/api/session';

const tokenOf = (claims: unknown) => `head.${btoa(JSON.stringify(claims)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')}.sign`;

describe('a token', () => {
  it('has the name of whom it was given to', () => {
    expect(nameIn(tokenOf({ name: 'ann@lab.example.org', exp: 1 }))).toBe('ann@lab.example.org');
  });

  it('that makes no sense has none, and nothing breaks', () => {
    for (const token of [undefined, '', 'not.valid.anymore', 'one-part', tokenOf({})]) expect(nameIn(token)).toBeNull();
  });
});
