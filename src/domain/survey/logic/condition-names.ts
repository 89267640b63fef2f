import { quote } from '../../../lib/quote.ts';
import type { Comparison, ConditionScalar, Operator } from './condition.ts';
import { typeOf } from '../../questions/registry.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../definition.ts';

/** A value of a question or column. */
export interface NamedValue {
  value: string;
  label: string;
}

/** Resolves the question codes, ids and option labels in a condition. */
export interface ConditionNames {
  codeOfId: (questionId: number) => string | undefined;
  /** Returns the code in the spelling of its question; an unknown code unchanged. */
  codeAsWritten: (left: Comparison['left']) => string;
  /** Returns the values that have labels; empty for texts and numbers. */
  valuesOf: (left: Comparison['left'], operator: Operator) => readonly NamedValue[];
}

/** Operators whose right side is part of a text, so that it cannot be an option label. */
const OPERATORS_WITHOUT_LABELS: ReadonlySet<Operator> = new Set(['starts_with', 'ends_with']);

export const acceptsLabels = (operator: Operator): boolean => !OPERATORS_WITHOUT_LABELS.has(operator);

/**
 * Resolves a written value to an option_value: an exact value first, then a label, then a label ignoring case. Returns unknown text
 * unchanged, and a problem if several options have the label.
 */
export function resolveOptionValue(
  written: ConditionScalar,
  values: readonly NamedValue[],
): ConditionScalar | { message: string } {
  const text = String(written);
  if (typeof written !== 'string' || values.some(({ value }) => value === text)) return written;
  const folded = text.trim().toLowerCase();
  const same = values.filter(({ label }) => label === text);
  const found = same.length > 0 ? same : values.filter(({ label }) => label.trim().toLowerCase() === folded);
  if (found.length === 0) return written;
  if (found.length === 1) return found[0]!.value;
  const candidates = found.map(({ value }) => quote(value)).join(', ');
  return {
    message: `${quote(text)} is the label of several options; accepted: their values ${candidates}`,
  };
}

/** Resolves names of a survey's live questions and options. */
export function namesOfQuestions(definition: SurveyDefinition): ConditionNames {
  const live = questionsOf(definition);
  const byId = new Map(live.map((question) => [question.id, question.code]));
  const byFoldedCode = new Map<string, Question>();
  for (const question of live) byFoldedCode.set(question.code.toLowerCase(), question);
  const questionAt = ({ type, code }: Comparison['left']) =>
    type === 'question' ? byFoldedCode.get(code.toLowerCase()) : undefined;
  return {
    codeOfId: (id) => byId.get(id),
    codeAsWritten: (left) => questionAt(left)?.code ?? left.code,
    valuesOf(left, operator) {
      const question = questionAt(left);
      if (question === undefined || !acceptsLabels(operator)) return [];
      return typeOf(question).comparison.namesOptions
        ? question.options.filter(({ retired }) => !retired)
        : [];
    },
  };
}
