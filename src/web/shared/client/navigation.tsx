import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const NAVIGATED_EVENT = 'canvass:navigated';

/** Shows another page of the application without reloading. `replace`: "Back" skips the page that is left. */
export function navigate(path: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  dispatchEvent(new Event(NAVIGATED_EVENT));
}

/** The path of the page that is shown. */
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

/** A parameter of the address that is shown, such as `?question=7`; null: it is not there. */
export function useAddressParameter(name: string): string | null {
  const read = () => new URLSearchParams(location.search).get(name);
  const [value, setValue] = useState(read);
  useEffect(() => {
    const update = () => setValue(read());
    addEventListener(NAVIGATED_EVENT, update);
    addEventListener('popstate', update);
    return () => {
      removeEventListener(NAVIGATED_EVENT, update);
      removeEventListener('popstate', update);
    };
  }, [name]);
  return value;
}

/** Returns a parameter of the address and removes it there; null: it is not there. */
export function takeAddressParameter(name: string): string | null {
  const query = new URLSearchParams(location.search);
  const value = query.get(name);
  if (value === null) return null;
  query.delete(name);
  history.replaceState(null, '', location.pathname + (query.size === 0 ? '' : `?${query.toString()}`));
  return value;
}

/** Click handler of links within the application. Clicks that open a new tab or window are left to the browser. */
export function followLink(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { pathname, search } = event.currentTarget;
  navigate(pathname + search);
}

interface NavigationGroup {
  label: string;
  links: readonly { path: string; label: string; badge?: ComponentChildren }[];
}

/** Links to the pages of the application in groups: beside the content on wide screens, tabs above it on narrow ones. */
export function SideNavigation({
  label,
  groups,
  current,
}: {
  label: string;
  groups: readonly NavigationGroup[];
  /** Path of the page that is shown. */
  current: string;
}) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current]');
    link?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' });
  }, [current]);
  return (
    <nav class="sidebar" ref={nav} aria-label={label}>
      {groups
        .filter(({ links }) => links.length > 0)
        .map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <p aria-hidden="true">{group.label}</p>
            <ul>
              {group.links.map(({ path, label: linkLabel, badge }) => (
                <li key={path}>
                  <a
                    href={path}
                    onClick={followLink}
                    {...(path === current ? { 'aria-current': 'page' } : {})}
                  >
                    {linkLabel}
                    {badge}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}
