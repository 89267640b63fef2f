import { calculatedAnswers } from '../../../../domain/questions/types/calculated.ts';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { codecFor } from '../question-answers.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';

/** A value that follows the answers. Screen readers announce its changes. */
function CalculatedField({ view, describedBy, session }: FieldProps<QuestionWithType<'calculated'>>) {
  const { question, answer, labels, texts } = view;
  const value =
    answer === null ? null : codecFor(question).pipedText(question, answer, texts, session.draft.language);
  return (
    <p class="affixed calculated">
      {labels.prefix !== null && <span {...session.languageOf(texts.has('prefix'))}>{labels.prefix}</span>}
      <output aria-label={view.text} aria-describedby={describedBy}>
        <bdi>{value ?? '–'}</bdi>
      </output>
      {labels.suffix !== null && <span {...session.languageOf(texts.has('suffix'))}>{labels.suffix}</span>}
    </p>
  );
}

export const calculatedField: FieldModuleOf<'calculated'> = {
  ...PLAIN_FIELD,
  answers: calculatedAnswers,
  role: 'none',
  Field: CalculatedField,
};
