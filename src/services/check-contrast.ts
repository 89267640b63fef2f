import { findContrastProblems, lookOf } from '../domain/survey/look.ts';
import { invalidFields } from '../lib/errors.ts';

type Stored = Readonly<Record<string, unknown>>;

/** Throws 400 if a color that differs from the one before has too little contrast. `path`: the field of the look in the request. */
export function checkContrast(after: Stored, { before, path }: { before: Stored; path: string }): void {
  const [old, look] = [lookOf(before), lookOf(after)];
  if (old.color === look.color && old.background_color === look.background_color) return;
  const problems = findContrastProblems(look);
  if (problems.length === 0) return;
  throw invalidFields(problems.map(({ field, message }) => ({ field: `${path}.${field}`, message })));
}
