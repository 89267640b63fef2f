import type { ErrorDetail } from './errors.ts';
import { listedTwice, unknownObject } from './error-messages.ts';

/** Throws if a new order does not name every existing item exactly once. */
export function findOrderProblems(
  field: string,
  given: readonly number[],
  existing: readonly { id: number }[],
  kind: string,
): ErrorDetail[] {
  const missing = new Set(existing.map(({ id }) => id));
  const known = new Set(missing);
  const problems = given.flatMap((id, index): ErrorDetail[] => {
    if (missing.delete(id)) return [];
    const message = known.has(id) ? listedTwice(`${kind} ${id}`) : unknownObject(kind, id);
    return [{ field: `${field}[${index}]`, message }];
  });
  if (missing.size > 0) {
    const left = [...missing].slice(0, 20).join(', ');
    problems.push({
      field,
      message: `must list every ${kind}; missing: ${left}${missing.size > 20 ? ', …' : ''}`,
    });
  }
  return problems;
}
