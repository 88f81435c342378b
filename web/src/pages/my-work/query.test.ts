import { describe, expect, it } from 'vitest';
import { myWorkQuery, recentSince } from '@/pages/my-work/query';

const NOW = Date.UTC(2026, 10, 16, 4, 33);

describe('my work', () => {
  it('asks for running work by itself, so that no sweep hides it', () => {
    const asked = myWorkQuery('running', 'ann@lab', '', NOW);
    expect(asked.filterBy).toContain('submittedBy==ann@lab');
    expect(asked.filterBy).toContain('phase!=Completed');
    expect(asked.filterBy).not.toContain('phase!=Running');
  });

  it('counts failures of the last days only, and says so in the question', () => {
    expect(recentSince(NOW)).toBe('2026-11-09T04:00:00Z');
    expect(myWorkQuery('failed', 'a', '', NOW).filterBy).toBe('submittedBy==a,completedAt>=2026-11-09T04:00:00Z,phase==Failed');
  });

  it('follows the project in view', () => {
    expect(myWorkQuery('ended', 'a', '7', NOW).filterBy).toContain('projectId==7');
    expect(myWorkQuery('ended', 'a', '7', NOW).sortBy).toBe('completedAt');
  });
});
