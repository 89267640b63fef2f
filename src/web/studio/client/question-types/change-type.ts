import { texts } from '../../texts.ts';
import { scaleOf, scaleSettings } from './numbers.ts';
import {
  OPTION_FLAGS,
  type OptionFlag,
  type QuestionSettings,
  type QuestionType,
  type ScalePoint,
} from './question-type.ts';
import { studioTypeOf } from './registry.ts';
import { DEFAULT_COLUMNS } from './table-columns.ts';
import { type MatrixRow, rowsOf } from './tables.ts';
import {
  COMMON_SETTINGS,
  type EditorOption,
  type EditorQuestion,
  isFilledOption,
  logicOf,
  newOption,
  nextOptionNumber,
} from '../editor/editor-content.ts';

const words = texts.editor.changeType;

/** What a question becomes with another type, and what it loses. */
export interface TypeChange {
  changes: Pick<EditorQuestion, 'question_type' | 'question_settings' | 'options'>;
  /** In words, such as "5 options"; empty: nothing. */
  lost: readonly string[];
}

/** Points of a scale that options can replace; a slider has more. */
const MAX_POINTS_AS_OPTIONS = 21;
const POINT_TYPES: ReadonlySet<QuestionType> = new Set(['scale', 'nps', 'slider']);

/** Names and labels of the answers, which types with options and with points have in common. */
interface AnswerLabels {
  points: readonly ScalePoint[];
  /** The options as they are; null: the answers are points. */
  options: readonly EditorOption[] | null;
}

/**
 * Returns a question with another type. Text, code, logic and texts around it stay, options become points and points become options,
 * and settings stay where both types have them.
 */
export function changeQuestionType(question: EditorQuestion, type: QuestionType): TypeChange {
  const before = studioTypeOf(question);
  const after = studioTypeOf({ question_type: type });
  const labels = answerLabels(question);
  const lost: string[] = [];
  const settings: Record<string, unknown> = {
    ...commonSettings(question, after.options !== null, lost),
    ...sharedSettings(question, type),
  };
  let options: readonly EditorOption[] = [];
  if (after.options !== null) {
    options = withFlags(
      labels === null ? defaultOptions() : (labels.options ?? optionsFromPoints(labels.points)),
      after.options.flags,
      lost,
    );
    if (labels?.options === null && after.settingFields.some(({ name }) => name === 'measure'))
      settings.measure = 'scale';
    if (labels === null && hasRange(question)) lost.push(words.range);
  } else if (POINT_TYPES.has(type)) {
    Object.assign(settings, pointSettings(question, type, labels, lost));
  } else if (labels !== null) lost.push(lostLabels(labels));
  if (after.hasRows) {
    const rows = before.hasRows ? rowsOf(question) : [1, 2].map(newRow);
    settings.rows = rows;
    // A table with columns of different kinds has no rows with a text box.
    if (after.hasTableColumns === true)
      settings.rows = rows.map(({ row_code, row_label }) => ({ row_code, row_label }));
  } else if (before.hasRows) lost.push(words.rows(rowsOf(question).length));
  if (after.hasTableColumns === true) settings.columns = DEFAULT_COLUMNS;
  return { changes: { question_type: type, question_settings: settings, options }, lost };
}

/** The options with the flags that have an effect. */
function withFlags(
  options: readonly EditorOption[],
  flags: readonly OptionFlag[],
  lost: string[],
): readonly EditorOption[] {
  const others = OPTION_FLAGS.filter((flag) => !flags.includes(flag));
  const removed = others.filter((flag) => options.some((option) => option[flag]));
  if (removed.length === 0) return options;
  lost.push(...removed.map((flag) => words.flags[flag]));
  const cleared = Object.fromEntries(removed.map((flag) => [flag, false]));
  return options.map((option) => ({ ...option, ...cleared }));
}

const hasRange = ({ question_type: type, question_settings: { min, max } }: EditorQuestion): boolean =>
  POINT_TYPES.has(type) || typeof min === 'number' || typeof max === 'number';

const newRow = (index: number): MatrixRow => ({
  row_code: `r${index}`,
  row_label: texts.editor.newRow(index),
});

const defaultOptions = (): EditorOption[] =>
  [1, 2].map((code) => newOption(code, texts.editor.newOption(code)));

function answerLabels(question: EditorQuestion): AnswerLabels | null {
  const filled = question.options.filter(isFilledOption);
  if (studioTypeOf(question).options !== null)
    return {
      options: question.options,
      points: filled
        .filter(({ option_missing: isMissing }) => !isMissing)
        .map(({ option_label: label }, index) => ({ point: index + 1, label })),
    };
  if (!POINT_TYPES.has(question.question_type)) return null;
  const points = scaleOf(question);
  return points.length > MAX_POINTS_AS_OPTIONS || points.length < 2 ? null : { options: null, points };
}

/** The points as options, with the point as value and the number where it has no label. */
const optionsFromPoints = (points: readonly ScalePoint[]): EditorOption[] =>
  points.map(({ point, label }, index) => ({
    ...newOption(point, label === '' ? String(point) : label),
    option_order: index + 1,
  }));

function lostLabels({ options, points }: AnswerLabels): string {
  if (options !== null) return words.options(options.filter(isFilledOption).length);
  return words.labels(points.filter(({ label }) => label !== '').length);
}

/** Settings that every type has. Logic about options needs options. */
function commonSettings(
  { question_settings: settings, question_type: type, options }: EditorQuestion,
  hasOptions: boolean,
  lost: string[],
): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(settings).filter(([name]) => COMMON_SETTINGS.has(name)));
  const logic = logicOf({ question_settings: settings, question_type: type, options });
  if (hasOptions || logic === null) return kept;
  const { options: optionRules, carry_forward: carried, ...others } = logic;
  if (optionRules === undefined && carried === undefined) return kept;
  lost.push(words.optionLogic);
  return { ...kept, logic: Object.keys(others).length === 0 ? null : others };
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

/** Settings that both types have with the same meaning. */
function sharedSettings(question: EditorQuestion, type: QuestionType): Record<string, unknown> {
  const { related, settingFields } = studioTypeOf(question);
  const target = studioTypeOf({ question_type: type });
  if (!related.includes(type) && !(question.options.length > 0 && target.options !== null)) return {};
  const names = new Set(settingFields.map(({ name }) => name));
  const shared = target.settingFields.map(({ name }) => name);
  return Object.fromEntries(
    shared
      .filter(
        (name) => names.has(name) && !COMMON_SETTINGS.has(name) && isGiven(question.question_settings[name]),
      )
      .map((name) => [name, question.question_settings[name]]),
  );
}

/** The settings of a scale, an NPS question or a slider; options become its labels. */
function pointSettings(
  question: EditorQuestion,
  type: QuestionType,
  labels: AnswerLabels | null,
  lost: string[],
): QuestionSettings {
  const points = labels?.points ?? [];
  const flagged = question.options.filter(({ option_missing: isMissing }) => isMissing).length;
  if (type === 'slider') {
    if (labels !== null && points.some(({ label }) => label !== '')) lost.push(lostLabels(labels));
    const { min, max, step } = { min: 0, max: 100, step: 1, ...sharedSettings(question, type) };
    if (max > min && (max - min) % step === 0) return {};
    lost.push(words.range);
    return { min: 0, max: 100, step: 1 };
  }
  if (type === 'nps') {
    const inner = points.slice(1, -1).filter(({ label }) => label !== '').length;
    if (inner > 0) lost.push(words.labels(inner));
    if (flagged > 0) lost.push(words.missingOptions(flagged));
    const ends = [points[0]?.label ?? '', points.at(-1)?.label ?? ''];
    return { min_label: ends[0] === '' ? null : ends[0], max_label: ends[1] === '' ? null : ends[1] };
  }
  if (flagged > 0) lost.push(words.missingOptions(flagged));
  if (points.length < 2 || points.length > MAX_POINTS_AS_OPTIONS) {
    if (labels === null && hasRange(question)) lost.push(words.range);
    else if (points.length > 0 && labels !== null) lost.push(lostLabels(labels));
    return { min: 1, max: 5, step: 1 };
  }
  return scaleSettings(points);
}

/** Returns a scale as a choice of its points or "Don't know", which counts as missing. */
export function scaleWithDontKnow(question: EditorQuestion): TypeChange['changes'] {
  const { changes } = changeQuestionType(question, 'single_choice');
  const next = nextOptionNumber(changes.options);
  return {
    ...changes,
    question_settings: { ...changes.question_settings, display: 'buttons' },
    options: [
      ...changes.options,
      { ...newOption(next, texts.editor.scale.dontKnow), option_missing: true, option_anchor: true },
    ],
  };
}
