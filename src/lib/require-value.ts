/**
 * Returns a value that exists by an invariant of the code. Throws an internal error if it does not; errors of requests come from errors.ts.
 * `name`: what is missing, for the log.
 */
export function requireValue<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new Error(`missing value: ${name}`);
  return value;
}

/** The same for the item of a list or typed array at an index from 0, or from the end if it is negative. */
export function requireItem<T>(
  items: { readonly length: number; at(index: number): T | undefined },
  index: number,
  name = 'item',
): T {
  const item = items.at(index);
  // The name is built only for the error: callers loop over many items.
  return item ?? requireValue(item, `${name} ${index} of ${items.length}`);
}

/** The same for the entry of a map. */
export function requireEntry<K extends string | number | object, V>(
  map: { get(key: K): V | undefined },
  key: K,
  name: string,
): V {
  const value = map.get(key);
  return value ?? requireValue(value, typeof key === 'object' ? name : `${name} ${String(key)}`);
}

/** The row of a statement that always returns one, for example of an INSERT with RETURNING. */
export function requireRow<Row>([row]: readonly Row[], table: string): Row {
  return requireValue(row, `row of ${table}`);
}
