import {
  mustBe,
  notAllowedWith,
  sizeAtMost,
  unknownField,
  unknownObject,
} from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { schemaProblems, schemaWording } from '../../../lib/schema-problems.ts';
import { type NamedValue, resolveOptionValue } from '../../columns/resolve-option-value.ts';
import { isRecord } from '../../questions/answers/read-answer.ts';
import { typeOf } from '../../questions/registry.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../definition.ts';
import { readLoopedCode } from '../loop-codes.ts';
import { previousCode, readPreviousCode } from '../previous-codes.ts';
import { comparisonSchema } from '../../questions/logic-schema.ts';
import type { Comparison, Condition, ConditionScalar, Operator } from '../../questions/condition.ts';

/** Resolves the question codes, ids and option labels in a condition. */
export interface ConditionNames {
  codeOfId: (questionId: number) => string | undefined;
  /** Returns the code in the spelling of its question; an unknown code unchanged. */
  codeAsWritten: (left: Comparison['left']) => string;
  /** Returns the values that have labels; empty for texts and numbers. */
  valuesOf: (left: Comparison['left'], operator: Operator) => readonly NamedValue[];
}

/** Operators whose right side is part of a text or a reason, so that it cannot be an option label. */
const OPERATORS_WITHOUT_LABELS: ReadonlySet<Operator> = new Set(['starts_with', 'ends_with', 'gave_reason']);

export const acceptsLabels = (operator: Operator): boolean => !OPERATORS_WITHOUT_LABELS.has(operator);

/** Resolves names of a survey's live questions and options, those in loops by item too (`Q5[A]`). */
export function namesOfQuestions(definition: SurveyDefinition): ConditionNames {
  const live = questionsOf(definition);
  const byId = new Map(live.map((question) => [question.id, question.code]));
  const byFoldedCode = new Map<string, Question>();
  for (const question of live) byFoldedCode.set(question.code.toLowerCase(), question);
  /** The code of a question in a loop names the item: both have the same options. */
  const previous = new Map(
    (definition.previous?.questions ?? []).map((question) => [question.code.toLowerCase(), question]),
  );
  const questionAt = ({ type, code }: Comparison['left']) =>
    type === 'previous'
      ? previous.get(previousCode(code).toLowerCase())
      : type === 'question'
        ? (byFoldedCode.get(code.toLowerCase()) ??
          byFoldedCode.get((readLoopedCode(code)?.authored ?? code).toLowerCase()))
        : undefined;
  return {
    codeOfId: (id) => byId.get(id),
    codeAsWritten(left) {
      const question = questionAt(left);
      const item = readLoopedCode(left.code)?.item;
      if (question === undefined) return left.code;
      if (left.type === 'previous') return readPreviousCode(question.code) ?? left.code;
      return item === undefined || readLoopedCode(question.code) !== null
        ? question.code
        : `${question.code}[${item}]`;
    },
    valuesOf(left, operator) {
      const question = questionAt(left);
      if (question === undefined || !acceptsLabels(operator)) return [];
      return typeOf(question).comparison.namesOptions
        ? question.options.filter(({ retired }) => !retired)
        : [];
    },
  };
}

const MAX_DEPTH = 32;

/** Field paths of a comparison in the request, for error messages. */
export interface ComparisonFields {
  left: string;
  right: string;
}

type ReadCondition =
  | { ok: true; condition: Condition; fields: ReadonlyMap<Comparison, ComparisonFields> }
  | { ok: false; problems: ErrorDetail[] };

interface ReadingRules {
  /** Fields of problems start with it. */
  field: string;
  /** The type of the codes in the short form. */
  shortFormType: 'question' | 'column';
  /** Maximum number of comparisons. Each comparison of a filter reads every response. */
  maxComparisons?: number;
}

/**
 * Converts a client's condition to the stored form. Accepts a tree of groups and comparisons, or the short form
 * `{"Q1": ["1", "2"], "gender": "1"}`, which can also be a member of a group. The values of one key are alternatives; all keys must
 * match. `{}` is always true.
 *
 * A question is referenced by code or id (`{"12": ["1"]}`, `{"question_id": 12, "operator": "in", "right": ["1"]}`), an option by
 * option_value or label. Unknown codes are kept unchanged; unknown ids, and labels shared by several options, are problems.
 */
export function readCondition(
  input: unknown,
  names: ConditionNames,
  { field, shortFormType, maxComparisons = Infinity }: ReadingRules,
): ReadCondition {
  const reader = new ConditionReader(names, shortFormType);
  const condition = reader.read(input, field, 0);
  const { problems, fields } = reader;
  if (fields.size > maxComparisons) {
    problems.push({
      field,
      message: sizeAtMost(maxComparisons, 'comparison', fields.size),
    });
  }
  return condition && problems.length === 0 ? { ok: true, condition, fields } : { ok: false, problems };
}

class ConditionReader {
  readonly problems: ErrorDetail[] = [];
  readonly fields = new Map<Comparison, ComparisonFields>();
  readonly #names: ConditionNames;
  readonly #shortFormType: ReadingRules['shortFormType'];

  constructor(names: ConditionNames, shortFormType: ReadingRules['shortFormType']) {
    this.#names = names;
    this.#shortFormType = shortFormType;
  }

  read(input: unknown, field: string, depth: number): Condition | null {
    if (depth > MAX_DEPTH) return this.#addProblem(field, `must have at most ${MAX_DEPTH} levels of groups`);
    if (!isRecord(input)) {
      return this.#addProblem(
        field,
        mustBe('an object: a condition, or values by column such as {"Q1": ["1", "2"]}', input),
      );
    }
    if (Object.hasOwn(input, 'conditions') || Object.hasOwn(input, 'connector'))
      return this.#group(input, field, depth);
    if (Object.hasOwn(input, 'operator') || isRecord(input.left)) return this.#comparison(input, field);
    return this.#shortForm(input, field);
  }

  #group(input: Record<string, unknown>, field: string, depth: number): Condition | null {
    const { connector = 'and', conditions, ...unknownFields } = input;
    for (const name of Object.keys(unknownFields)) {
      this.#addProblem(`${field}.${name}`, unknownField(undefined, 'connector, conditions'));
    }
    if (connector !== 'and' && connector !== 'or') {
      return this.#addProblem(`${field}.connector`, mustBe('"and" or "or"', connector));
    }
    if (!Array.isArray(conditions))
      return this.#addProblem(`${field}.conditions`, mustBe('a list of conditions', conditions));
    const parts = conditions.map((part, index) =>
      this.read(part, `${field}.conditions[${index}]`, depth + 1),
    );
    return { connector, conditions: parts.filter((part) => part !== null) };
  }

  #comparison(input: Record<string, unknown>, field: string): Condition | null {
    const withCode = this.#withCode(input, field);
    if (withCode === null) return null;
    const result = comparisonSchema.safeParse(withCode, { error: schemaWording });
    if (result.success) {
      return this.#named(result.data, { left: `${field}.left.code`, right: `${field}.right` });
    }
    this.problems.push(...schemaProblems(result.error, field));
    return null;
  }

  /** Replaces `question_id`, instead of `left` or within it, by the code of the question. */
  #withCode(input: Record<string, unknown>, field: string): Record<string, unknown> | null {
    const { question_id: outer, row_code: row, ...rest } = input;
    if (outer !== undefined && rest.left === undefined) {
      const left = { question_id: outer, ...(row === undefined ? {} : { row_code: row }) };
      return this.#withCode({ ...rest, left }, field);
    }
    if (!isRecord(input.left) || !Object.hasOwn(input.left, 'question_id')) return input;
    const { question_id: id, ...left } = input.left;
    if (left.code !== undefined) {
      return this.#addProblem(`${field}.left.code`, notAllowedWith('question_id'));
    }
    const code = this.#codeOfId(id, `${field}.left.question_id`);
    return code === null ? null : { ...input, left: { ...left, code } };
  }

  #codeOfId(id: unknown, field: string): string | null {
    const isId = typeof id === 'number' || (typeof id === 'string' && /^[1-9]\d{0,15}$/.test(id));
    const code = isId ? this.#names.codeOfId(Number(id)) : undefined;
    return (
      code ??
      this.#addProblem(field, unknownObject({ kind: 'question', idOrCode: id, scope: 'in this survey' }))
    );
  }

  #shortForm(input: Record<string, unknown>, field: string): Condition | null {
    const conditions = Object.entries(input).flatMap(([key, values]) => {
      const right = Array.isArray(values) ? values : [values];
      const path = `${field}.${key}`;
      if (right.length === 0) return this.#addProblem(path, 'must not be empty') ?? [];
      // Codes begin with a letter, so a number is an id.
      const code = /^\d+$/.test(key) ? this.#codeOfId(key, path) : key;
      if (code === null) return [];
      const parsed = comparisonSchema.safeParse({
        left: { type: this.#shortFormType, code },
        operator: 'in',
        right,
      });
      if (!parsed.success) {
        return (
          this.#addProblem(
            path,
            mustBe('a value or a list of values: texts, numbers, true or false', values),
          ) ?? []
        );
      }
      return this.#named(parsed.data, { left: path, right: path }) ?? [];
    });
    return { connector: 'and', conditions };
  }

  /** Normalizes the code's spelling and resolves labels to values. */
  #named(comparison: Comparison, paths: ComparisonFields): Comparison | null {
    const left = { ...comparison.left, code: this.#names.codeAsWritten(comparison.left) };
    const named = { ...comparison, left };
    if (comparison.right !== undefined) {
      const right = this.#values({ ...comparison, left }, paths.right);
      if (right === null) return null;
      named.right = right;
    }
    this.fields.set(named, paths);
    return named;
  }

  #values({ left, operator, right }: Comparison, field: string): Comparison['right'] | null {
    const values = this.#names.valuesOf(left, operator);
    if (values.length === 0 || right === undefined) return right;
    const valueOf = (written: ConditionScalar): ConditionScalar | null => {
      const found = resolveOptionValue(written, values);
      return typeof found === 'object' ? this.#addProblem(field, found.message) : found;
    };
    if (!Array.isArray(right)) return valueOf(right);
    const all = right.map(valueOf);
    return all.some((value) => value === null) ? null : (all as ConditionScalar[]);
  }

  #addProblem(field: string, message: string): null {
    this.problems.push({ field, message });
    return null;
  }
}
