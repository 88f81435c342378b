// Which sections of the documentation hold all words, the best first.
export interface Part {
  slug: string;
  title: string;
  id: string;
  heading: string;
  text: string;
}

export interface Hit extends Part {
  excerpt: string;
}

const MOST = 8;
const AROUND = 60;

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const start = Math.max(0, at - AROUND);
  return `${start > 0 ? '…' : ''}${text.slice(start, at + 2 * AROUND).trim()}${at + 2 * AROUND < text.length ? '…' : ''}`;
}

export function findSections(parts: Part[], wanted: string): Hit[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = parts.flatMap((part) => {
    const heading = `${part.title} ${part.heading}`.toLowerCase();
    const text = part.text.toLowerCase();
    if (!words.every((word) => heading.includes(word) || text.includes(word))) return [];
    // A word in a heading says more than one in the text.
    const score = words.reduce((sum, word) => sum + (part.heading.toLowerCase().includes(word) ? 4 : 0) + (heading.includes(word) ? 2 : 0) + (text.includes(word) ? 1 : 0), 0);
    return [{ score, hit: { ...part, excerpt: excerptOf(part.text, words.find((word) => text.includes(word)) ?? '') } }];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ hit }) => hit);
}
