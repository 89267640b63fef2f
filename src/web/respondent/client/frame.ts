/** Whether the page is in a frame, as on a website that embeds the survey. */
export const isFramed = window.parent !== window;

/** Tells the website that embeds the page how high its content is, whenever that changes. Its snippet gives the frame this height. */
export function reportHeight(content: HTMLElement): void {
  if (!isFramed) return;
  document.documentElement.classList.add('framed');
  const report = () =>
    window.parent.postMessage({ canvassHeight: Math.ceil(content.getBoundingClientRect().height) }, '*');
  new ResizeObserver(report).observe(content);
}

/** Shows the top of the page, in a frame also where the page around it is scrolled down. */
export function scrollToTop(): void {
  if (isFramed) document.documentElement.scrollIntoView({ block: 'start' });
  scrollTo({ top: 0 });
}
