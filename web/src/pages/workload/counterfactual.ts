// Turns the words of an alternative ("with 2 GPUs", "on pool dev") into changes of the form.

const PATTERNS: [RegExp, (match: RegExpMatchArray) => Record<string, string>][] = [
  [/^with ([0-9.]+) (?:of a )?GPUs?\b/i, (m) => ({ gpu: m[1] ?? '' })],
  [/^with ([0-9.]+) (?:CPU )?(?:cores?|CPUs?)\b/i, (m) => ({ cpu: m[1] ?? '' })],
  [/^with ([0-9.]+\s?[KMGT]i?B?) (?:of )?memory\b/i, (m) => ({ memory: (m[1] ?? '').replace(/\s/g, '').replace(/B$/, '') })],
  [/^(?:on|in) (?:node )?pool '?([A-Za-z0-9._-]+)'?/i, (m) => ({ pool: m[1] ?? '' })],
  [/^(?:as|if|when) (?:a )?preemptible\b/i, () => ({ preemptible: 'true' })],
  [/^with ([0-9]+) workers?\b/i, (m) => ({ workers: m[1] ?? '' })],
];

/** Address parameters for the form, or null for a change it cannot make. */
export function applyChange(text: string): string | null {
  for (const [pattern, make] of PATTERNS) {
    const match = text.match(pattern);
    if (match) return new URLSearchParams(make(match)).toString();
  }
  return null;
}
