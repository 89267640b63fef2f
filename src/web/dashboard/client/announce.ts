/** For whoever does not see that the page has changed. */
export function announce(text: string): void {
  const said = document.getElementById('said');
  if (said === null) return;
  said.textContent = '';
  // A status that says the same again is not read again.
  setTimeout(() => (said.textContent = text), 50);
}
