import {
  questionsOf,
  type Question,
  type QuestionType,
  type SurveyDefinition,
} from '../../../../domain/survey/definition.ts';
import { multipleChoiceField, singleChoiceField } from './choice.tsx';
import type { FieldModule, FieldModuleOf } from './field-module.ts';
import { loadNoAnswer } from './no-answer.tsx';
import { numberField } from './number.tsx';
import { loadOptionTools } from './option-tools.tsx';
import { registerAnswers } from '../question-answers.ts';
import { textField } from './text.tsx';

type FieldLoader<T extends QuestionType> = FieldModuleOf<T> | (() => Promise<FieldModuleOf<T>>);

/** Types that most surveys use are part of the script of the page; the others are loaded for surveys that have them. */
const FIELDS: { readonly [T in QuestionType]: FieldLoader<T> } = {
  single_choice: singleChoiceField,
  multiple_choice: multipleChoiceField,
  text: textField,
  number: numberField,
  scale: async () => (await import('./scale.tsx')).scaleField,
  matrix: async () => (await import('./matrix.tsx')).matrixField,
  ranking: async () => (await import('./ranking.tsx')).rankingField,
  date: async () => (await import('./date.tsx')).dateField,
  nps: async () => (await import('./scale.tsx')).npsField,
  dropdown: async () => (await import('./dropdown.tsx')).dropdownField,
  slider: async () => (await import('./slider.tsx')).sliderField,
  file_upload: async () => (await import('./file-upload.tsx')).fileUploadField,
  constant_sum: async () => (await import('./constant-sum.tsx')).constantSumField,
  calculated: async () => (await import('./calculated.tsx')).calculatedField,
  side_by_side: async () => (await import('./side-by-side.tsx')).sideBySideField,
  statement: async () => (await import('./statement.tsx')).statementField,
};

const loaded = new Map<QuestionType, FieldModule>();

function addField(type: QuestionType, field: FieldModule): void {
  loaded.set(type, field);
  registerAnswers(type, field.answers);
}

for (const [type, field] of Object.entries(FIELDS) as [QuestionType, FieldLoader<QuestionType>][])
  if (typeof field !== 'function') addField(type, field);

/** Loads what the questions of a survey need. Call before `fieldOf`; a page that is offline later needs no more. */
export async function loadFields(definition: SurveyDefinition): Promise<void> {
  const questions = [...questionsOf(definition), ...(definition.previous?.questions ?? [])];
  const types = new Set(questions.map(({ type }) => type));
  await Promise.all([
    ...[...types].map(async (type) => {
      const field = FIELDS[type] as FieldLoader<QuestionType>;
      if (typeof field === 'function') addField(type, await field());
    }),
    loadNoAnswer(definition),
    loadOptionTools(definition),
  ]);
}

/** Returns what the page needs of the type of the question. */
export function fieldOf({ type }: Question): FieldModule {
  const field = loaded.get(type);
  if (field === undefined) throw new Error(`The field of "${type}" is not loaded`);
  return field;
}
