import { numberAnswers } from '../../../../domain/questions/types/number.ts';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders, formatNumber } from '../localization.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';
import { NumberInput, numberProblem, toNumberAnswer } from './number-input.tsx';

function NumberField({
  view,
  input,
  onInput,
  messages,
  id,
  describedBy,
  invalid,
  session,
}: FieldProps<QuestionWithType<'number'>>) {
  const { question, placeholder, labels, texts } = view;
  return (
    <NumberInput
      id={id}
      range={question.settings}
      labels={labels}
      prefixLanguage={session.languageOf(texts.has('prefix'))}
      suffixLanguage={session.languageOf(texts.has('suffix'))}
      placeholder={placeholder ?? undefined}
      dir={placeholder === null ? undefined : session.languageOf(texts.has('placeholder')).dir}
      value={input}
      onInput={onInput}
      messages={messages}
      describedBy={describedBy === undefined ? [] : [describedBy]}
      invalid={invalid}
      required={question.required}
    />
  );
}

export const numberField: FieldModuleOf<'number'> = {
  ...PLAIN_FIELD,
  answers: numberAnswers,
  Field: NumberField,
  role: 'control',
  hint({ question }, messages) {
    const { min, max } = question.settings;
    const shown = (number: number) => formatNumber(messages, number);
    if (min !== null && max !== null)
      return fillPlaceholders(messages.number_hint_range, { n: shown(min), m: shown(max) });
    if (min !== null) return fillPlaceholders(messages.number_hint_min, { n: shown(min) });
    return max === null ? null : fillPlaceholders(messages.number_hint_max, { n: shown(max) });
  },
  toAnswer: ({ settings }, input) => toNumberAnswer(settings, input),
  problem: ({ settings }, answer, messages) => numberProblem(settings, answer, messages),
};
