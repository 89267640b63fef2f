import { required } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { quote } from '../../../lib/quote.ts';
import type { StoredAnswer } from '../../answers/codec.ts';
import { satisfiesRequired } from '../../answers/read-result.ts';
import type { AnyQuestion, Option } from '../../questions/question.ts';
import { withNamedPipes } from './data-labels.ts';
import { withoutOptions } from './condition-evaluator.ts';
import type { PreparedQuestion } from '../prepared-definition.ts';
import { type VisitedQuestion, withheldValues } from './evaluate-logic.ts';

/** Reads a client's answers when survey logic requests them, and collects their problems. */
export class AnswerInputReader {
  readonly problems: ErrorDetail[] = [];
  /** Questions whose answers are invalid. */
  private readonly invalidQuestions = new Set<PreparedQuestion>();

  constructor(private readonly input: Readonly<Record<string, unknown>>) {}

  /** Returns undefined if the input has no answer to the question. */
  read(
    prepared: PreparedQuestion,
    offered: readonly Option[],
    strictness: 'answer' | 'draft',
  ): StoredAnswer | null | undefined {
    const { question } = prepared;
    if (!Object.hasOwn(this.input, question.code)) return undefined;
    const input = this.input[question.code];
    if (offered.length === prepared.options.length) return this.readAs(prepared, question, input, strictness);
    // Validates the answer again without options that are no longer offered.
    const drafted = this.readAs(prepared, question, input, 'draft');
    const left = withoutOptions(question, drafted, withheldValues(prepared, offered));
    if (left === null || strictness === 'draft') return left;
    return this.readAs(prepared, prepared.codec.withOfferedOptions(question, offered), left, strictness);
  }

  /** Returns one problem per shown required question without an answer; an invalid answer already has its own. */
  findMissingAnswers(questions: readonly VisitedQuestion[]): ErrorDetail[] {
    const missed: ErrorDetail[] = [];
    for (const { prepared, answer } of questions) {
      if (satisfiesRequired(answer) || !prepared.question.required || this.invalidQuestions.has(prepared))
        continue;
      const text = withNamedPipes(prepared.question.text, () => undefined);
      missed.push({ field: prepared.field, message: `${required()}: ${quote(text)}` });
    }
    return missed;
  }

  private readAs(
    prepared: PreparedQuestion,
    question: AnyQuestion,
    input: unknown,
    strictness: 'answer' | 'draft',
  ): StoredAnswer | null {
    const result = prepared.codec.read(question, input, strictness);
    if (result.ok) return result.answer;
    this.invalidQuestions.add(prepared);
    for (const { field, message } of result.problems) {
      this.problems.push({ field: joinFieldPath(prepared.field, field), message });
    }
    return null;
  }
}

function joinFieldPath(field: string, relative: string): string {
  if (relative === '') return field;
  return relative.startsWith('[') ? field + relative : `${field}.${relative}`;
}
