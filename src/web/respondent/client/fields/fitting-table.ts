import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Renders rows as a table, measures it, and falls back to cards if the table is wider than its container. */
export function useFittingTable(canBeTable: boolean) {
  const container = useRef<HTMLDivElement>(null);
  const [neededWidth, setNeededWidth] = useState(0);
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  const isTable = canBeTable && width >= neededWidth && isWideScreen();
  useLayoutEffect(() => {
    const { current } = container;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  // Measures after each render, because the width depends on the texts.
  useLayoutEffect(() => {
    const { current } = container;
    if (current === null || !isTable || current.scrollWidth <= current.clientWidth) return;
    setNeededWidth(current.scrollWidth);
    setWidth(current.clientWidth);
  });
  return { container, isTable };
}

/** The width from which the style has tables. */
const isWideScreen = (): boolean =>
  matchMedia('(min-width: 46em)').matches && CSS.supports('grid-template-columns', 'subgrid');
