import type { z } from 'zod';
import { type ErrorDetail, MAX_PROBLEMS } from './errors.ts';
import { issueCount, nearestForm } from './schema-forms.ts';
import { isSecret, keyWording } from './schema-wording.ts';

type Issue = z.core.$ZodIssue;

const MAX_NAME_CHARACTERS = 60;

/** What a schema found, each at its path (`options[2].option_value`), unknown fields named one by one: the first 100. */
export function schemaProblems(error: z.ZodError, prefix = ''): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const issue of error.issues) {
    for (const { path, message } of problemsOf(issue, [])) {
      if (details.length === MAX_PROBLEMS) return details;
      details.push({ field: pathText(prefix, path), message });
    }
  }
  return details;
}

/** How many problems there are in all; cheap, since none is put into words. */
export function countProblems(error: z.ZodError): number {
  return error.issues.reduce((count, issue) => count + issueCount(issue), 0);
}

interface Problem {
  path: readonly PropertyKey[];
  message: string;
}

function problemsOf(issue: Issue, before: readonly PropertyKey[]): Problem[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, MAX_PROBLEMS)
      .map((key) => ({ path: [...path, key], message: 'is not a known field' }));
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
