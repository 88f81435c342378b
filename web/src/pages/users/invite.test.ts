import { describe, expect, it } from 'vitest';
import { alreadyThere, emailsIn } from '@/pages/users/invite';

describe('an invitation', () => {
  it('takes e-mails as people paste them', () => {
    expect(emailsIn('Ann@lab.example, <ben@lab.example>;ann@lab.example\n')).toEqual(['ann@lab.example', 'ben@lab.example']);
  });

  it('of people who have an account promises no role that was not given', () => {
    expect(alreadyThere(1, true)).toBe('This person has an account already; the role is given');
    expect(alreadyThere(2, false)).toMatch(/^All of them .* nothing has changed$/);
  });
});
