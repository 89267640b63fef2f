import { useEffect, useState } from 'preact/hooks';

const MOVED = 'place-moved';

/** Goes to another of our pages without loading anything anew. */
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

/** For a link's click: opening it elsewhere stays the browser's. */
export function followLink(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  navigate(event.currentTarget.pathname);
}
