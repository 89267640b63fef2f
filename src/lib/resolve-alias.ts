import { isDeepStrictEqual } from 'node:util';
import { invalid } from './errors.ts';

/** Returns the value of a field or its alias; 400 if both are given and differ. null gives way to a value of the other. */
export function resolveAlias<T>({
  name,
  first,
  other,
  second,
}: {
  name: string;
  first: T | undefined;
  other: string;
  second: T | undefined;
}): T | undefined {
  const isGiven = (value: T | undefined) => value !== undefined && value !== null;
  if (isGiven(first) && isGiven(second) && !isDeepStrictEqual(first, second))
    throw invalid(other, `is an alias of ${name}; send one of them, or the same value in both`);
  if (isGiven(first) || second === undefined) return first;
  return second;
}
