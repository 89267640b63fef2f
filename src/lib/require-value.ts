/**
 * Returns a value that exists by an invariant of the code. Throws an internal error if it does not; errors of requests come from errors.ts.
 * `name`: what is missing, for the log.
 */
export function requireValue<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new Error(`missing value: ${name}`);
  return value;
}

/** The same for the item of an array at an index that is within its bounds. */
export function requireItem<T>(items: ArrayLike<T>, index: number, name: string): T {
  return requireValue(items[index], `${name} ${index}`);
}

/** The same for the entry of a map. */
export function requireEntry<K extends string | number | object, V>(
  map: { get(key: K): V | undefined },
  key: K,
  name: string,
): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`missing value: ${name} ${typeof key === 'object' ? '' : key}`);
  return value;
}

/** The row of a statement that always returns one, for example of an INSERT with RETURNING. */
export function requireRow<Row>([row]: readonly Row[], table: string): Row {
  return requireValue(row, `row of ${table}`);
}
