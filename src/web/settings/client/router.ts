import { useEffect, useState } from 'preact/hooks';

const MOVED = 'place-moved';

/** Shows another page of the settings without reloading. */
export function navigate(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new Event(MOVED));
}

export function usePath(): string {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const follow = () => setPath(location.pathname);
    addEventListener(MOVED, follow);
    addEventListener('popstate', follow);
    return () => {
      removeEventListener(MOVED, follow);
      removeEventListener('popstate', follow);
    };
  }, []);
  return path;
}

/** Click handler of links within the settings. Clicks that open a new tab or window are left to the browser. */
export function followLink(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  navigate(event.currentTarget.pathname);
}
