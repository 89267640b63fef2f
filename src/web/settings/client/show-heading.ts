/** A page that takes the place of another one begins at its heading, for ears too; one that was just loaded begins where all do. */
export function showHeading(title: string, heading: HTMLElement | null): void {
  document.title = `${title} · Canvass`;
  // Browsers from before they told are taken for active: the heading is where reading begins anyway.
  const { hasBeenActive } = (navigator as Partial<Navigator>).userActivation ?? { hasBeenActive: true };
  if (hasBeenActive) heading?.focus();
}
