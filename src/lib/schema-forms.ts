import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** The issues of one alternative of a union. */
export type FormIssues = readonly Issue[];

/**
 * The alternative of a union that the value most likely intends: its type matches, and it has the fewest problems at the top level, then
 * the fewest in total, then the deepest one. Undefined if the type of the value matches no alternative.
 */
export function nearestForm(forms: readonly FormIssues[]): FormIssues | undefined {
  return forms
    .filter((form) => form.every((issue) => !isOfAnotherType(issue)))
    .map((form) => ({ form, rank: [shallow(form), total(form), -depth(form)] as const }))
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2])[0]?.form;
}

/** Whether the value itself, not a part of it, has another type. */
function isOfAnotherType(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union') return nearestForm(issue.errors) === undefined;
  return issue.code === 'invalid_type' || issue.code === 'invalid_value';
}

function shallow(form: FormIssues): number {
  return sum(form.map((issue) => (depthOf(issue) <= 1 ? issueCount(issue) : 0)));
}

function total(form: FormIssues): number {
  return sum(form.map(issueCount));
}

function depth(form: FormIssues): number {
  return Math.max(0, ...form.map(depthOf));
}

/** Counts the problems of an issue: each unknown field is one. */
export function issueCount(issue: Issue): number {
  if (issue.code === 'unrecognized_keys') return issue.keys.length;
  return issue.code === 'invalid_union' ? Math.max(1, total(nearestForm(issue.errors) ?? [])) : 1;
}

function depthOf(issue: Issue): number {
  if (issue.code === 'unrecognized_keys') return issue.path.length + 1;
  const nested = issue.code === 'invalid_union' ? depth(nearestForm(issue.errors) ?? []) : 0;
  return issue.path.length + nested;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((before, next) => before + next, 0);
}
