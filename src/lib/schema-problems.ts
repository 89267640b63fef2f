import type { z } from 'zod';
import { type ErrorDetail, MAX_PROBLEMS } from './errors.ts';
import { issueCount, nearestForm } from './schema-forms.ts';
import { isSecret, keyWording } from './schema-wording.ts';
import { unknownField } from './error-messages.ts';

type Issue = z.core.$ZodIssue;

const MAX_NAME_CHARACTERS = 60;

/** The first 100 problems of a zod error, each with its path (`options[2].option_value`); every unknown field is one problem. */
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

/** The number of all problems, without creating their messages. */
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
      .map((key) => ({ path: [...path, key], message: unknownField() }));
  if (issue.code === 'invalid_key' && issue.origin === 'record')
    return [{ path, message: keyWording(path.at(-1), issue.issues[0]?.message) }];
  if (issue.code === 'invalid_union' && !isSecret(path)) {
    const problems = nearestForm(issue.errors)?.flatMap((inner) => problemsOf(inner, path)) ?? [];
    // For a problem of the whole value, the message of the schema takes precedence.
    if (problems.some((problem) => problem.path.length > path.length)) return problems;
  }
  return [{ path, message: issue.message }];
}

/** The path as text. Long names, which may come from the client, are shortened. */
function pathText(prefix: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = String(part);
    const shown = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
    return text === '' ? shown : `${text}.${shown}`;
  }, prefix);
}
