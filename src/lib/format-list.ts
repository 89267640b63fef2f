/** Formats the first items for a message, with the number of the others: `"a", "b" and 3 more`. */
export function formatList<Item>(
  items: readonly Item[],
  most: number,
  format: (item: Item) => string,
): string {
  const more = items.length - most;
  return items.slice(0, most).map(format).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
