import type { Question, QuestionType } from '../../../../domain/survey/definition.ts';
import { multipleChoiceField, singleChoiceField } from './choice.tsx';
import { constantSumField } from './constant-sum.tsx';
import { dateField } from './date.tsx';
import { dropdownField } from './dropdown.tsx';
import type { FieldModule, FieldModuleOf } from './field-module.ts';
import { fileUploadField } from './file-upload.tsx';
import { matrixField } from './matrix.tsx';
import { numberField } from './number.tsx';
import { rankingField } from './ranking.tsx';
import { npsField, scaleField } from './scale.tsx';
import { sliderField } from './slider.tsx';
import { textField } from './text.tsx';

const FIELDS: { readonly [T in QuestionType]: FieldModuleOf<T> } = {
  single_choice: singleChoiceField,
  multiple_choice: multipleChoiceField,
  text: textField,
  number: numberField,
  scale: scaleField,
  matrix: matrixField,
  ranking: rankingField,
  date: dateField,
  nps: npsField,
  dropdown: dropdownField,
  slider: sliderField,
  file_upload: fileUploadField,
  constant_sum: constantSumField,
};

/** Returns what the page needs of the type of the question. */
export function fieldOf({ type }: Question): FieldModule {
  return FIELDS[type];
}
