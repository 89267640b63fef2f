import type { MarkdownForm } from '../../../../../domain/markdown/markdown.ts';
import { plainText } from '../../../../../domain/markdown/parse-markdown.ts';
import { fillPipes, type Pipe } from '../../../../../domain/survey/logic/piping.ts';
import { textForm } from '../../../../../domain/questions/text-form.ts';
import { type LabeledQuestion, questionLabel } from '../../data/question-label.ts';
import { texts } from '../../../texts.ts';

/** A text cut at its placeholders. */
export type TextPart = { kind: 'text'; text: string } | { kind: 'pipe'; pipe: Pipe };

/** Occurs in no text that a user enters, so that it marks the places of placeholders. */
const MARK = '\u0000';

export const hasPipes = (text: string): boolean =>
  text.includes('{{') && partsOf(text).some(({ kind }) => kind === 'pipe');

/** Returns the texts between placeholders and the placeholders, in order. Other braces are text. */
export function partsOf(text: string): TextPart[] {
  const pipes: Pipe[] = [];
  const marked = fillPipes(text, (pipe) => {
    pipes.push(pipe);
    return MARK;
  });
  return marked.split(MARK).flatMap((part, index): TextPart[] => {
    const before = pipes[index - 1];
    return [
      ...(before === undefined ? [] : [{ kind: 'pipe' as const, pipe: before }]),
      ...(part === '' ? [] : [{ kind: 'text' as const, text: part }]),
    ];
  });
}

/** The name of a placeholder: the short name of its question, or what the link or the respondent has. */
export function pipeName(pipe: Pipe, questions: readonly LabeledQuestion[]): string {
  switch (pipe.kind) {
    case 'question': {
      const question = questions.find(({ question_code: code }) => code === pipe.code);
      return question === undefined ? pipe.code : questionLabel(question);
    }
    case 'hidden':
    case 'attribute':
    case 'arm':
      return pipe.name;
    case 'item':
      return pipe.name === 'label' ? 'item' : pipe.name;
    case 'respondent':
      return texts.editor.piping.respondentName;
  }
}

/** The text of a question as a menu shows it. */
export const questionInWords = (
  { question_type: type, question_text: text }: { question_type: string; question_text: string },
  questions: readonly LabeledQuestion[],
): string => textInWords(text, questions, textForm({ type }));

/** The text without Markdown, with the names of its placeholders in brackets. */
export const textInWords = (
  text: string,
  questions: readonly LabeledQuestion[],
  form: MarkdownForm = 'inline',
): string => fillPipes(plainText(text, form), (pipe) => `[${pipeName(pipe, questions)}]`);

/** Writes a placeholder as the API reads it. */
export function writePipe(pipe: Pipe): string {
  const fallback = pipe.fallback === undefined || pipe.fallback === '' ? '' : `|${pipe.fallback}`;
  switch (pipe.kind) {
    case 'question':
      return `{{${pipe.code}${pipe.form === 'code' ? ':code' : ''}${fallback}}}`;
    case 'hidden':
    case 'attribute':
    case 'arm':
    case 'item':
      return `{{${pipe.kind}.${pipe.name}${fallback}}}`;
    case 'respondent':
      return `{{respondent.name${fallback}}}`;
  }
}
