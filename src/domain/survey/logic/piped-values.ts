import type { OtherChoice, StoredAnswer, StoredAnswers } from '../../answers/codec.ts';
import { valueOfChoice } from '../../answers/read-options.ts';
import type { Question } from '../definition.ts';
import type { RespondentContext } from './respondent-context.ts';
import { type TranslatedTexts, textsIn, translationFor } from './localize.ts';
import type { Pipe } from './piping.ts';
import type { PreparedDefinition } from '../prepared-definition.ts';

type Choice = string | OtherChoice;

/** Returns the text of a pipe; empty if the question, value or answer does not exist. */
export class PipedValues {
  private readonly context: RespondentContext;
  private readonly language: string | null;

  /** `answers` contains only answers of shown and hidden questions. */
  constructor(
    private readonly prepared: PreparedDefinition,
    private readonly answers: StoredAnswers,
    context: RespondentContext & { language: string | null },
  ) {
    this.context = context;
    this.language = context.language;
  }

  valueOf(pipe: Pipe): string {
    const { hidden, respondent } = this.context;
    if (pipe.kind === 'hidden') return hidden.get(pipe.name) ?? '';
    if (pipe.kind === 'respondent') return respondent?.name ?? '';
    if (pipe.kind === 'attribute') {
      const known = respondent !== null && Object.hasOwn(respondent.attributes, pipe.name);
      return known ? String(respondent.attributes[pipe.name]) : '';
    }
    const known = this.prepared.byCode.get(pipe.code);
    const answer = known && Object.hasOwn(this.answers, pipe.code) ? this.answers[pipe.code] : null;
    if (!known || answer === null || answer === undefined) return '';
    return pipe.form === 'code' ? codeText(known.question, answer) : this.labelText(known.question, answer);
  }

  private labelText(question: Question, answer: StoredAnswer): string {
    const texts = textsIn(translationFor(question.settings.translations, this.language));
    const label = (choice: Choice) => choiceLabel(question, choice, texts);
    switch (question.type) {
      case 'matrix':
        return matrixText(answer, question.settings.rows, label, texts);
      case 'scale': {
        const point = plainText(answer);
        const labels = question.settings.point_labels;
        return labels && Object.hasOwn(labels, point)
          ? texts.entry('point_labels', point, labels[point]!)
          : point;
      }
      case 'file_upload':
        return '';
      default:
        return choicesIn(question, answer)?.map(label).join(', ') ?? plainText(answer);
    }
  }
}

/** Returns the choices of an answer to a question with options; null for other types. */
function choicesIn(question: Question, answer: StoredAnswer): Choice[] | null {
  switch (question.type) {
    case 'single_choice':
    case 'dropdown':
      return [answer as Choice];
    case 'multiple_choice':
    case 'ranking':
      return answer as Choice[];
    default:
      return null;
  }
}

/** The text entered for an "other" option is more specific than its label. */
function choiceLabel(question: Question, choice: Choice, texts: TranslatedTexts): string {
  if (typeof choice === 'object' && choice.other !== '') return choice.other;
  const value = valueOfChoice(choice);
  const option = question.options.find((each) => each.value === value);
  return option === undefined ? value : texts.entry('options', String(option.code), option.label);
}

function matrixText(
  answer: StoredAnswer,
  rows: readonly { row_code: string; row_label: string }[],
  label: (choice: Choice) => string,
  texts: TranslatedTexts,
): string {
  const answersByRow = new Map(Object.entries(answer as { [rowCode: string]: string | string[] }));
  return rows
    .flatMap(({ row_code: code, row_label: original }) => {
      const chosen = answersByRow.get(code);
      if (chosen === undefined) return [];
      return `${texts.entry('rows', code, original)}: ${[chosen].flat().map(label).join(', ')}`;
    })
    .join('; ');
}

/** Returns the option codes of a question with options, otherwise the answer itself. */
function codeText(question: Question, answer: StoredAnswer): string {
  const codeOf = (choice: Choice): string => {
    const value = valueOfChoice(choice);
    return String(question.options.find((option) => option.value === value)?.code ?? value);
  };
  if (question.type === 'matrix') {
    const rows = Object.values(answer as { [rowCode: string]: string | string[] });
    return rows.flat().map(codeOf).join(',');
  }
  if (question.type === 'file_upload') return '';
  return choicesIn(question, answer)?.map(codeOf).join(',') ?? plainText(answer);
}

function plainText(answer: StoredAnswer): string {
  return typeof answer === 'string' || typeof answer === 'number' ? String(answer) : '';
}
