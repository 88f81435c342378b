// Light or dark; public/theme.js sets the first one before anything is painted.
import { Store } from '@/lib/store';

export type Theme = 'light' | 'dark';

const shown = (): Theme =>
  typeof document !== 'undefined' && document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';

export const theme = new Store<Theme>(shown());

export function setTheme(next: Theme): void {
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem('gpuyard.theme', next);
  } catch {
    // The choice then lasts for this page only.
  }
  theme.set(next);
}

const DARK = '(prefers-color-scheme: dark)';

/** Whatever the system shows, from now on. */
export function followSystem(): void {
  setTheme(window.matchMedia(DARK).matches ? 'dark' : 'light');
  try {
    localStorage.removeItem('gpuyard.theme');
  } catch {
    // Nothing was kept then.
  }
}
