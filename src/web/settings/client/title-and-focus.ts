/** Sets the page title, and moves the focus to the heading after navigation within the settings. A page that was just loaded keeps its focus. */
export function setTitleAndFocus(title: string, heading: HTMLElement | null): void {
  document.title = `${title} · Canvass`;
  // Older browsers do not have userActivation; there the heading always gets the focus.
  const { hasBeenActive } = (navigator as Partial<Navigator>).userActivation ?? { hasBeenActive: true };
  if (hasBeenActive) heading?.focus();
}
