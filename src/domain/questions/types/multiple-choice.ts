import { z } from 'zod';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { mustBe, quote, sizeAtLeast, sizeAtMost } from '../../../lib/error-messages.ts';
import {
  type CellCodec,
  type CellAsker,
  type CellReader,
  FLAG_VALUES,
  joinLabels,
  optionColumnCode,
  optionValues,
  type OtherChoice,
  questionColumn,
  type ReadResult,
  type StoredAnswer,
} from '../answers/codec.ts';
import {
  acceptAnswer,
  findOption,
  isNoAnswer,
  NO_ANSWER,
  readFlag,
  readSelection,
  rejectAnswer,
  rejectAnswerForAll,
  storedChoice,
  type Strictness,
  unknownColumnProblem,
  valueOfChoice,
} from '../answers/read-answer.ts';
import type { Cell, ColumnSpec } from '../../columns/column-spec.ts';
import { pickOptions, withOtherText } from '../generate-answers.ts';
import { defineSettings, optionalMaximum, optionalMinimum, withOrderedBounds } from '../common-settings.ts';
import type { Option, TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { choiceSettings } from './choice-settings.ts';
import {
  choiceCodes,
  choiceLabels,
  choiceOperand,
  hasOnlyFlagged,
  minimumProblems,
  withoutChoices,
} from './choice-lists.ts';
import { listOptions, PLAIN_ANSWERS, PLAIN_COMPARISON, PLAIN_SEEDING, PLAIN_TYPE } from './plain-type.ts';
import { isSatisfiableBySelection } from './possible-operands.ts';

const settings = defineSettings(() =>
  withOrderedBounds(
    z.strictObject({
      ...choiceSettings.shape,
      min_selections: optionalMinimum(1_000),
      max_selections: optionalMaximum(1_000),
    }),
    'min_selections',
    'max_selections',
  ),
);

type MultipleQuestion = TypedQuestion<'multiple_choice', z.infer<typeof settings>>;
type Choices = (string | OtherChoice)[];

function read(question: MultipleQuestion, input: unknown, strictness: Strictness): ReadResult {
  const { min_selections: min, max_selections: max } = question.settings;
  if (isNoAnswer(input)) {
    // If at least one option is required, an empty selection is no answer.
    const takesNone = strictness === 'edit' || (min ?? 0) === 0;
    return Array.isArray(input) && takesNone ? acceptAnswer([]) : NO_ANSWER;
  }
  const result = readSelection(question.options, input, strictness);
  if (!result.ok) return rejectAnswerForAll(result.problems);
  const count = result.chosen.length;
  // An exclusive option ("None of these") is complete, whatever the minimum number of selections.
  const least = result.chosen[0]?.option.exclusive || strictness !== 'answer' ? 1 : (min ?? 1);
  if (count < least) return rejectAnswer(sizeAtLeast(least, 'option', count));
  if (max !== null && count > max) {
    return rejectAnswer(sizeAtMost(max, 'option', count));
  }
  return acceptAnswer(result.chosen.map(storedChoice));
}

function otherColumnCode(question: MultipleQuestion, option: Option): string {
  return `${optionColumnCode(question, option)}_other`;
}

function columns(question: MultipleQuestion): ColumnSpec[] {
  return question.options.flatMap((option) => {
    const retired = question.retired || option.retired;
    const flag = questionColumn(question, {
      columnCode: optionColumnCode(question, option),
      label: joinLabels(question.text, option.label),
      type: 'binary',
      measure: 'nominal',
      values: [...FLAG_VALUES],
      retired,
    });
    if (!option.other) return [flag];
    const text = questionColumn(question, {
      columnCode: otherColumnCode(question, option),
      label: joinLabels(question.text, `${question.settings.other_label ?? option.label} (text)`),
      type: 'text',
      measure: 'nominal',
      retired,
    });
    return [flag, text];
  });
}

/** If only options flagged as missing are chosen ("don't know"), the columns of the other options are null. */
function cellReader({ options }: MultipleQuestion): CellReader {
  const cellIndexes = new Map<string, { flag: number; text: number | null }>();
  const unticked: Cell[] = [];
  const untickedIfFlagged: Cell[] = [];
  for (const { value, other, missing } of options) {
    const flag = unticked.length;
    cellIndexes.set(value, { flag, text: other ? flag + 1 : null });
    unticked.push(0, ...(other ? [null] : []));
    untickedIfFlagged.push(missing ? 0 : null, ...(other ? [null] : []));
  }
  const noCells = unticked.map(() => null);
  const canBeFlagged = options.some(({ missing }) => missing);
  return (answer) => {
    if (answer === null || answer === undefined) return noCells.slice();
    const choices = answer as Choices;
    const isFlagged = canBeFlagged && hasOnlyFlagged(options, choices.map(valueOfChoice));
    const cells = (isFlagged ? untickedIfFlagged : unticked).slice();
    for (const choice of choices) {
      const indexes = cellIndexes.get(valueOfChoice(choice));
      if (indexes === undefined || cells[indexes.flag] === 1) continue;
      cells[indexes.flag] = 1;
      if (indexes.text !== null && typeof choice === 'object') cells[indexes.text] = choice.other;
    }
    return cells;
  };
}

/** The text of an option follows its 0/1 column. */
function cellAsker({ options }: MultipleQuestion): CellAsker {
  const optionOfText = options.flatMap(({ value, other }) => (other ? [null, value] : [null]));
  return (answer, index) => {
    const option = optionOfText[index] ?? null;
    return option === null || ((answer ?? []) as Choices).some((choice) => valueOfChoice(choice) === option);
  };
}

/**
 * Edits flags and texts by column, or the whole set under the question's code. If no option remains, a 0 or an empty set means that none is
 * ticked, and null that there is no answer.
 */
function fromCells(
  question: MultipleQuestion,
  answer: StoredAnswer | null | undefined,
  changes: ReadonlyMap<string, Cell>,
): ReadResult {
  const before = (answer ?? []) as Choices;
  const texts = new Map(
    before.flatMap((choice) => (typeof choice === 'object' ? [[choice.value, choice.other]] : [])),
  );
  const selected = new Set(before.map(valueOfChoice));
  const problems: ErrorDetail[] = [];
  const left = new Map(changes);
  let withoutSelection: ReadResult = answer ? acceptAnswer([]) : NO_ANSWER;

  const set = changes.get(question.code);
  if (set !== undefined) {
    left.delete(question.code);
    withoutSelection = set === null ? NO_ANSWER : acceptAnswer([]);
    if (set !== null && !Array.isArray(set)) {
      return rejectAnswer(mustBe('a list of option values', set), question.code);
    }
    const values = (set ?? []).map((value) => valueOfChoice(value));
    const check = readSelection(question.options, values, 'edit');
    if (!check.ok) {
      return rejectAnswerForAll(check.problems.map(({ message }) => ({ field: question.code, message })));
    }
    selected.clear();
    for (const value of values) selected.add(value);
  }
  const flags: (boolean | null)[] = [];
  for (const option of question.options) {
    const flagCode = optionColumnCode(question, option);
    const cell = left.get(flagCode);
    if (cell === undefined) continue;
    left.delete(flagCode);
    const flag = readFlag(cell);
    if (flag === undefined) {
      problems.push({ field: flagCode, message: mustBe('1, 0 or null', cell) });
      continue;
    }
    flags.push(flag);
    if (flag) selected.add(option.value);
    else selected.delete(option.value);
  }
  if (flags.includes(false)) withoutSelection = acceptAnswer([]);
  else if (flags.length > 0 && set === undefined) withoutSelection = NO_ANSWER;
  for (const option of question.options) {
    if (!option.other) continue;
    const textCode = otherColumnCode(question, option);
    const cell = left.get(textCode);
    if (cell === undefined) continue;
    left.delete(textCode);
    if (cell === null || cell === '') {
      texts.delete(option.value);
    } else if (typeof cell !== 'string') {
      problems.push({ field: textCode, message: mustBe('a text', cell) });
    } else if (!selected.has(option.value)) {
      const message = `needs 1 in ${optionColumnCode(question, option)} before it can hold ${quote(cell)}`;
      problems.push({ field: textCode, message });
    } else {
      texts.set(option.value, cell);
    }
  }
  problems.push(...[...left.keys()].map((code) => unknownColumnProblem(code, question.code)));
  if (problems.length > 0) return rejectAnswerForAll(problems);
  if (selected.size === 0) return withoutSelection;

  const choices = [...selected].map((value) => {
    const other = texts.get(value);
    return other === undefined ? value : { value, other };
  });
  const result = read(question, choices, 'edit');
  if (result.ok) return result;
  return rejectAnswerForAll(
    result.problems.map(({ field, message }) => ({
      field: columnOfProblem(question, choices, field),
      message,
    })),
  );
}

/** Returns the column of a problem at `[2]` or `[2].other` of the choices. */
function columnOfProblem(question: MultipleQuestion, choices: Choices, field: string): string {
  const [, index, part] = /^\[(\d+)\](\.other)?/.exec(field) ?? [];
  const choice = choices[Number(index)];
  const option = choice === undefined ? undefined : findOption(question.options, valueOfChoice(choice));
  if (!option) return question.code;
  return part ? otherColumnCode(question, option) : optionColumnCode(question, option);
}

/** Any number of options, including none (`[]`): `["1","3"]`, with `{"value","other"}` for an option with a text. */
export const multipleChoiceAnswers: QuestionAnswers<MultipleQuestion> = {
  ...PLAIN_ANSWERS,
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
  takesEmptyList: true,
  operand: ({ options }, answer) => choiceOperand(options, (answer as Choices).map(valueOfChoice)),
  withoutOptions: (_question, answer, withheld) => withoutChoices(answer as Choices, withheld),
  withOfferedOptions(question, offered) {
    const options = [...offered];
    const together = options.filter(({ exclusive }) => !exclusive).length;
    const least = Math.min(question.settings.min_selections ?? 0, together);
    return { ...question, options, settings: { ...question.settings, min_selections: least } };
  },
  pipedText: (question, answer, texts, language) =>
    choiceLabels(question, answer as Choices, { texts, language }),
  pipedCode: (question, answer) => choiceCodes(question, answer as Choices),
};

const multipleChoiceCells: CellCodec<MultipleQuestion> = {
  columns,
  toCells: (question, answer) => cellReader(question)(answer),
  cellReader,
  cellAsker,
  fromCells,
  setColumn: (question) =>
    questionColumn(question, {
      type: 'multiple',
      measure: 'nominal',
      values: optionValues(question.options),
    }),
  toSetCell: (_question, answer) =>
    answer === null || answer === undefined ? null : (answer as Choices).map(valueOfChoice),
};

export const multipleChoiceType: QuestionTypeModule<MultipleQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: multipleChoiceAnswers,
  cells: multipleChoiceCells,
  settings,
  options: {
    takeOtherText: true,
    noun: 'options',
    problems: ({ min_selections: min }, live) => minimumProblems('min_selections', min, live),
  },
  columnCount: ({ options }) => options.length + options.filter(({ other }) => other).length,
  comparison: {
    ...PLAIN_COMPARISON,
    namesOptions: true,
    isSatisfiable: (question, comparisons) =>
      isSatisfiableBySelection(question, comparisons, { takesNone: true }),
  },
  seeding: {
    ...PLAIN_SEEDING,
    answer({ question, offered, profile, respondent }) {
      const { min_selections: least, max_selections: most } = question.settings;
      const bounds = { least: Math.max(least ?? 0, Number(question.required)), most: most ?? offered.length };
      const chosen = pickOptions({ offered, ...bounds }, profile, respondent);
      return chosen.map((option) => withOtherText(option, respondent));
    },
    seconds: () => 12,
  },
  describeAnswers: (question) => `any of: ${listOptions(question)}`,
  passesCheck(values, expected) {
    const chosen = new Set(values);
    return chosen.size === expected.length && expected.every((value) => chosen.has(value));
  },
  importedColumn({ options }, { part, isPart }) {
    const position = options.findIndex(({ value, label }) => isPart(part, value, label));
    // Texts of "other" options have columns between those of the options.
    return position < 0 ? -1 : position + options.slice(0, position).filter(({ other }) => other).length;
  },
  answerFormat: '`["1","3"]`; `[]` means shown, no option selected',
  example: {
    page_id: 2,
    question_code: 'Q3',
    question_text: 'Which of these did you drink at work in the last seven days?',
    question_settings: { shuffle: 'random' },
    options: [
      { option_label: 'Coffee', option_value: 'coffee' },
      { option_label: 'Tea', option_value: 'tea' },
      { option_label: 'Water', option_value: 'water' },
      {
        option_label: 'None of these',
        option_value: 'none',
        option_exclusive: true,
        option_anchor: true,
      },
    ],
  },
};
