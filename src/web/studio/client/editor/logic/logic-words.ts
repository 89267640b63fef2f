import { previousCode } from '../../../../../domain/survey/previous-codes.ts';
import { texts } from '../../../texts.ts';
import type { Schema } from '../../data/api.ts';
import { reasonName, REASONS } from '../../question-types/no-answers.ts';
import { studioTypeOf } from '../../question-types/registry.ts';
import type { Condition, EditorPage, EditorQuestion, QuestionLogic } from '../editor-content.ts';
import { questionInWords, textInWords } from '../piping/pipes.ts';
import { isGroup } from './condition-rows.ts';

export type SkipRule = Schema<'SkipRule'>;
export type CarryForward = NonNullable<QuestionLogic['carry_forward']>;

const words = texts.editor.logic;

/** What the words refer to. */
export interface NamedContent {
  questions: readonly EditorQuestion[];
  pages: readonly EditorPage[];
}

/** The text of a question in quotation marks; its code if it has none. */
export function questionName(code: string, questions: readonly EditorQuestion[]): string {
  const question = questions.find(({ question_code: each }) => each === code);
  return `“${question === undefined ? code : textInWords(question.question_text, questions) || code}”`;
}

export const pageName = (
  { page_title: title }: Pick<EditorPage, 'page_title'>,
  index: number,
  questions: readonly EditorQuestion[],
): string => (title === null || title === '' ? texts.editor.page(index + 1) : textInWords(title, questions));

/** Repeats a condition in words, such as `“Which drinks?” includes any of “Coffee”, “Tea”`. An empty one is "always". */
export function conditionInWords(condition: Condition, questions: readonly EditorQuestion[]): string {
  if (isGroup(condition)) {
    if (condition.conditions.length === 0) return words.everyone;
    const parts = condition.conditions.map((each) => {
      const text = conditionInWords(each, questions);
      return isGroup(each) && each.conditions.length > 1 ? `(${text})` : text;
    });
    return parts.join(` ${words.connectors[condition.connector]} `);
  }
  const { operator, right } = condition;
  const left = answerOf(condition.left);
  const isQuestion = left.type === 'question';
  const name =
    left.type === 'question' ? answerName(left, questions) : words.valueNames[left.type](left.code);
  const phrase =
    isQuestion || (operator !== 'answered' && operator !== 'not_answered')
      ? words.operators[operator]
      : words.valueOperators[operator];
  if (right === undefined) return `${name} ${phrase}`;
  const question = isQuestion ? questions.find(({ question_code: code }) => code === left.code) : undefined;
  const labelOf = (value: string | number | boolean): string => {
    const reason = operator === 'gave_reason' ? REASONS.find((each) => each === value) : undefined;
    if (reason !== undefined) return `“${reasonName(reason, question?.question_settings ?? {})}”`;
    const option = question?.options.find(({ option_value: each }) => each === String(value));
    if (option !== undefined) return `“${textInWords(option.option_label, questions)}”`;
    return typeof value === 'number' ? String(value) : `“${value}”`;
  };
  const isOne = [right].flat().length === 1;
  const separator = operator === 'between' ? ` ${words.connectors.and} ` : ', ';
  return `${name} ${(isOne ? words.oneValue[operator] : undefined) ?? phrase} ${[right].flat().map(labelOf).join(separator)}`;
}

type LeftSide = Extract<Condition, { operator: string }>['left'];

/** An earlier answer is that to a question with another code. */
const answerOf = (left: LeftSide) =>
  left.type === 'previous'
    ? { ...left, type: 'question' as const, code: previousCode(left.code) }
    : { ...left, type: left.type };

/** The question and its part, such as `“How do you rate these?” (“Price”)`. */
function answerName(
  { code, row_code: part }: { code: string; row_code?: string },
  questions: readonly EditorQuestion[],
): string {
  const name = questionName(code, questions);
  if (part === undefined) return name;
  const question = questions.find(({ question_code: each }) => each === code);
  const parts = question === undefined ? [] : (studioTypeOf(question).comparison.parts?.list(question) ?? []);
  const label = parts.find(({ code: each }) => each === part)?.label ?? part;
  return `${name} (“${textInWords(label, questions)}”)`;
}

/** Where a rule leads, such as `go to “Coffee”`. */
function targetInWords({ action, target_id: id }: SkipRule, { questions, pages }: NamedContent): string {
  switch (action) {
    case 'end_survey':
      return words.targets.end;
    case 'screen_out':
      return words.targets.screenOut;
    case 'jump_to_page': {
      const index = pages.findIndex(({ page_id: each }) => each === id);
      const page = pages[index];
      return page === undefined ? words.targets.gone : words.targets.goTo(pageName(page, index, questions));
    }
    case 'jump_to_question': {
      const question = questions.find(({ question_id: each }) => each === id);
      return question === undefined
        ? words.targets.gone
        : words.targets.goTo(questionInWords(question, questions));
    }
  }
}

/** Repeats a rule, such as `If “Your age?” is less than 16, screen out.` */
export function skipInWords(rule: SkipRule, content: NamedContent): string {
  const target = targetInWords(rule, content);
  const isForEveryone = isGroup(rule.when) && rule.when.conditions.length === 0;
  return isForEveryone
    ? words.skipAlways(target)
    : words.skipIf(conditionInWords(rule.when, content.questions), target);
}

export const carryForwardInWords = (
  { from, mode }: CarryForward,
  questions: readonly EditorQuestion[],
): string => words.carryInWords[mode](questionName(from, questions));
