import type { z } from 'zod';
import type { ErrorDetail } from './errors.ts';
import { nearestForm } from './schema-forms.ts';
import { isSecret, keyWording } from './schema-wording.ts';

type Issue = z.core.$ZodIssue;

const MAX_NAME_CHARACTERS = 60;

/** What a schema found, each at its path (`options[2].option_value`), unknown fields named one by one. */
export function schemaProblems(error: z.ZodError, prefix = ''): ErrorDetail[] {
  return error.issues
    .flatMap((issue) => problemsOf(issue, []))
    .map(({ path, message }) => ({ field: pathText(prefix, path), message }));
}

interface Problem {
  path: readonly PropertyKey[];
  message: string;
}

function problemsOf(issue: Issue, before: readonly PropertyKey[]): Problem[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is not a known field' }));
  if (issue.code === 'invalid_key' && issue.origin === 'record')
    return [{ path, message: keyWording(path.at(-1), issue.issues[0]?.message) }];
  if (issue.code === 'invalid_union' && !isSecret(path)) {
    const problems = nearestForm(issue.errors)?.flatMap((inner) => problemsOf(inner, path)) ?? [];
    // Of the value as a whole, the schema's own words go first.
    if (problems.some((problem) => problem.path.length > path.length)) return problems;
  }
  return [{ path, message: issue.message }];
}

/** The names in it may be a client's own, of any length. */
function pathText(prefix: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = String(part);
    const shown = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
    return text === '' ? shown : `${text}.${shown}`;
  }, prefix);
}
