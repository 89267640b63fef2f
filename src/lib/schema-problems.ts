import type { z } from 'zod';
import type { ErrorDetail } from './errors.ts';
import { quote } from './quote.ts';

type Issue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

const TYPE_NAMES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
};

const UNITS: Record<string, string> = { string: ' characters', array: ' items', set: ' items' };

/**
 * A schema's complaint in our words, with the value in it. Given to `safeParse` as `error`; a message that the schema has of its
 * own goes before it.
 */
export function schemaWording(issue: RawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined) return 'is required';
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}, not ${quote(input)}`;
    case 'invalid_value':
      if (input === undefined) return 'is required';
      return `must be ${issue.values.map((value) => quote(value)).join(' or ')}, not ${quote(input)}`;
    case 'too_small':
    case 'too_big': {
      const unit = UNITS[issue.origin] ?? '';
      const [bound, word] =
        issue.code === 'too_small'
          ? [issue.minimum, issue.inclusive === false ? 'more than' : 'at least']
          : [issue.maximum, issue.inclusive === false ? 'less than' : 'at most'];
      return unit ? `must have ${word} ${bound}${unit}` : `must be ${word} ${bound}, not ${quote(input)}`;
    }
    case 'invalid_union':
      return input === undefined ? 'is required' : `has no form that is known here: ${quote(input)}`;
    default:
      return undefined;
  }
}

/** What a schema found, each at its path (`options[2].option_value`), unknown fields named one by one. */
export function schemaProblems(error: z.ZodError, prefix = ''): ErrorDetail[] {
  return error.issues.flatMap((issue) => problemsOf(issue, prefix === '' ? [] : [prefix]));
}

function problemsOf(issue: Issue, before: readonly PropertyKey[]): ErrorDetail[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: pathText([...path, key]), message: 'is not a known field' }));
  }
  if (issue.code === 'invalid_union') {
    // Of several forms, the one with the least to complain about is most likely the one that was meant.
    const forms = issue.errors.map((form) => form.flatMap((inner) => problemsOf(inner, path)));
    const nearest = forms.sort((a, b) => a.length - b.length || depth(b) - depth(a))[0];
    if (nearest !== undefined && depth(nearest) > pathText(path).length) return nearest;
  }
  if (issue.code === 'invalid_key') {
    const message = issue.issues[0]?.message ?? issue.message;
    return [{ field: pathText(path), message: `${quote(path.at(-1))} ${message}` }];
  }
  return [{ field: pathText(path), message: issue.message }];
}

function depth(problems: readonly ErrorDetail[]): number {
  return Math.max(0, ...problems.map(({ field }) => field.length));
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
