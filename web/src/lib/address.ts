import { useSearchParams } from 'react-router-dom';

/** What the address chooses, and a way to change some of it; an empty value is left out of the address. */
export function useAddress() {
  const [params, setParams] = useSearchParams();
  const set = (change: Record<string, string>) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [key, value] of Object.entries(change)) {
          if (value) next.set(key, value);
          else next.delete(key);
        }
        return next;
      },
      { replace: true },
    );
  return { params, set };
}
