/** Announces a change of the page to screen readers. */
export function announce(text: string): void {
  const status = document.getElementById('announcements');
  if (status === null) return;
  status.textContent = '';
  // Screen readers do not repeat an unchanged status text, so it is cleared first.
  setTimeout(() => (status.textContent = text), 50);
}
