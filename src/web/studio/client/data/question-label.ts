import { plainText } from '../../../../domain/markdown/parse-markdown.ts';
import { questionTitleOf, reportLabelOf } from '../../../../domain/survey/report-label.ts';

export interface LabeledQuestion {
  question_code: string;
  question_text: string;
  question_settings: Readonly<Record<string, unknown>>;
}

const toNamed = ({ question_code: code, question_text: text, question_settings }: LabeledQuestion) => {
  const { report_label: label } = question_settings;
  return { code, text, settings: { report_label: typeof label === 'string' ? label : null } };
};

/** The short name of a question in figures, menus and lists: its short label, otherwise a proposal from its text. */
export const questionLabel = (question: LabeledQuestion): string => reportLabelOf(toNamed(question));

/** The title of a question where there is room: its short label, otherwise its whole text. */
export const questionTitle = (question: LabeledQuestion): string => questionTitleOf(toNamed(question));

/** Between the name of a question and one of its parts in the label of a column. */
export const PART_SEPARATOR = ' – ';

/** The name of the part of a question that is a column, such as a row of a table; null: unknown. */
export function partLabel(
  label: string,
  { question_text: text, question_settings: { report_label: short } }: LabeledQuestion,
): string | null {
  const name = [short, plainText(text, 'inline')].find(
    (each): each is string => typeof each === 'string' && label.startsWith(each + PART_SEPARATOR),
  );
  return name === undefined ? null : label.slice(name.length + PART_SEPARATOR.length);
}

/** The label of a column in lists: the short name of its question, and the part that the column is. */
export function columnLabel(
  { column_code: code, label }: { column_code: string; label: string },
  question: LabeledQuestion | undefined,
): string {
  if (question === undefined) return label;
  const name = questionLabel(question);
  if (question.question_code === code) return name;
  const part = partLabel(label, question);
  return part === null ? label : name + PART_SEPARATOR + part;
}
