import { useEffect, useState } from 'preact/hooks';

const NAVIGATED_EVENT = 'canvass:navigated';

/** Shows another page of the settings without reloading. */
export function navigate(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new Event(NAVIGATED_EVENT));
}

export function usePath(): string {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const updatePath = () => setPath(location.pathname);
    addEventListener(NAVIGATED_EVENT, updatePath);
    addEventListener('popstate', updatePath);
    return () => {
      removeEventListener(NAVIGATED_EVENT, updatePath);
      removeEventListener('popstate', updatePath);
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
