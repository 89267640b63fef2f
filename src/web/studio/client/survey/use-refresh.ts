import { useEffect } from 'preact/hooks';
import { reloadQueries } from '../data/queries.ts';

const REFRESH_MS = 15_000;

/** Reloads what is shown of the addresses below this path every 15 seconds while the page is visible. */
export function useRefresh(path: string): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reloadQueries(path);
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [path]);
}
