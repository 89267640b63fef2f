/** A value within a JSON value, with its context. */
export interface ValueRef {
  path: string;
  /** The nearest member's name; an item of a list has the name of the list. */
  name: string;
  value: unknown;
  replace(value: unknown): void;
  remove(): void;
}

/** Lists all values within a JSON value, outer ones first, without the root. */
export function listValueRefs(root: unknown, path = '', name = ''): ValueRef[] {
  if (Array.isArray(root)) {
    const items = root as unknown[];
    return items.flatMap((value, index) => [
      {
        path: `${path}[${index}]`,
        name,
        value,
        replace: (other: unknown) => (items[index] = other),
        remove: () => void items.splice(index, 1),
      },
      ...listValueRefs(value, `${path}[${index}]`, name),
    ]);
  }
  if (typeof root !== 'object' || root === null) return [];
  const members = root as Record<string, unknown>;
  return Object.keys(members).flatMap((key) => [
    {
      path: path === '' ? key : `${path}.${key}`,
      name: key,
      value: members[key],
      replace: (other: unknown) => (members[key] = other),
      remove: () => void delete members[key],
    },
    ...listValueRefs(members[key], path === '' ? key : `${path}.${key}`, key),
  ]);
}

/** Every object in it, the whole first. */
export function listObjects(root: unknown): Record<string, unknown>[] {
  const inner = listValueRefs(root).map(({ value }) => value);
  return [root, ...inner].filter(
    (value): value is Record<string, unknown> =>
      typeof value === 'object' && value !== null && !Array.isArray(value),
  );
}
