import { expect } from 'vitest';
import type { ReadResult, StoredAnswer } from '../../src/domain/questions/answers/codec.ts';
import { cellCodecFor, codecFor } from '../../src/domain/questions/registry.ts';
import type { Cell } from '../../src/domain/columns/column-spec.ts';
import type { Question } from '../../src/domain/survey/definition.ts';

interface ExpectedProblem {
  field: string;
  message: string;
}

function expectRefusal(result: ReadResult, field: string, message: string): void {
  expect(result.ok).toBe(false);
  if (result.ok) return;
  const found = result.problems.find((problem) => problem.field === field);
  expect(found, `a problem at "${field}" among ${JSON.stringify(result.problems)}`).toBeDefined();
  expect(found?.message).toContain(message);
  expect(found?.message.length).toBeLessThan(400);
}

/** Expects that the codec reads the input as this stored answer, and that reading the stored answer changes nothing. */
export function accepts(question: Question, input: unknown, stored: StoredAnswer | null): void {
  expect(codecFor(question).read(question, input)).toEqual({ ok: true, answer: stored });
  expect(codecFor(question).read(question, stored)).toEqual({ ok: true, answer: stored });
}

/** Expects the codec to refuse the input with this message at the field. */
export function refuses(question: Question, input: unknown, field: string, message: string): void {
  expectRefusal(codecFor(question).read(question, input), field, message);
}

/** Cells changed in a stored answer give this answer, or this complaint. */
export function edits(
  question: Question,
  before: StoredAnswer | null | undefined,
  changes: Record<string, Cell>,
  expected: StoredAnswer | null | ExpectedProblem,
): void {
  const result = cellCodecFor(question).fromCells(question, before, new Map(Object.entries(changes)));
  if (isExpectedProblem(expected)) expectRefusal(result, expected.field, expected.message);
  else expect(result).toEqual({ ok: true, answer: expected });
}

function isExpectedProblem(expected: StoredAnswer | null | ExpectedProblem): expected is ExpectedProblem {
  return typeof expected === 'object' && expected !== null && 'message' in expected && 'field' in expected;
}
