/** Returns the item at an index from 0, or from the end if it is negative. Throws a RangeError if the list has no such item. */
export function itemAt<Item extends NonNullable<unknown>>(items: readonly Item[], index: number): Item {
  const item = items.at(index);
  if (item === undefined) throw new RangeError(`no item ${index} in a list of ${items.length}`);
  return item;
}
