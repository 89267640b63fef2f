import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Whether the keys ask the browser to print. */
const isPrintKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'p' && (ctrlKey || metaKey) && !altKey && !shiftKey;

/** Calls `onLoaded` when nothing in the element is loading any more. Returns a function that stops waiting. */
function awaitContent(element: HTMLElement, onLoaded: () => void): () => void {
  const check = () => {
    if (element.querySelector('[aria-busy="true"]') !== null) return;
    observer.disconnect();
    onLoaded();
  };
  const observer = new MutationObserver(check);
  observer.observe(element, { childList: true, subtree: true });
  check();
  return () => observer.disconnect();
}

/**
 * Prints the page with everything in `area`, also what otherwise loads on scrolling: the page must show all of it once `showsAll` is set.
 * The keys of the browser for printing do the same, because the browser does not wait. Its menu prints what has been
 * loaded, with a note if something is missing (print.css).
 */
export function usePrinting(area: RefObject<HTMLElement | null>): { showsAll: boolean; print: () => void } {
  const [showsAll, setShowsAll] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const print = () => {
    setShowsAll(true);
    setWaiting(true);
  };
  useEffect(() => {
    const onBeforePrint = () => setShowsAll(true);
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPrintKey(event)) return;
      event.preventDefault();
      print();
    };
    addEventListener('beforeprint', onBeforePrint);
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('beforeprint', onBeforePrint);
      removeEventListener('keydown', onKeyDown);
    };
  }, []);
  useEffect(() => {
    if (!isWaiting || area.current === null) return undefined;
    return awaitContent(area.current, () => {
      setWaiting(false);
      window.print();
    });
  }, [isWaiting]);
  return { showsAll, print };
}
