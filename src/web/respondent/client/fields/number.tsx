import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { type NumberRange, readNumber } from '../../../../domain/questions/types/numeric-answers.ts';
import { fillPlaceholders, type Messages } from '../localization.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';

/** A text field with a numeric keyboard. Number inputs of browsers discard invalid text, and the mouse wheel changes their value. */
function NumberField({
  view,
  input,
  onInput,
  id,
  describedBy,
  invalid,
  session,
}: FieldProps<QuestionWithType<'number'>>) {
  const { question, placeholder, labels } = view;
  const { min, decimals } = question.settings;
  const value = typeof input === 'string' || typeof input === 'number' ? String(input) : '';
  const isWholeNumber = decimals === 0 && min !== null && min >= 0;
  const units = [
    labels.prefix === null ? [] : `${id}-prefix`,
    labels.suffix === null ? [] : `${id}-suffix`,
  ].flat();
  return (
    <div class="affixed">
      {labels.prefix !== null && (
        <span id={`${id}-prefix`} {...session.languageOf(view.texts.has('prefix'))}>
          {labels.prefix}
        </span>
      )}
      <input
        id={id}
        class="field"
        type="text"
        inputMode={isWholeNumber ? 'numeric' : min !== null && min >= 0 ? 'decimal' : 'text'}
        autocomplete="off"
        value={value}
        placeholder={placeholder ?? undefined}
        dir={placeholder === null ? undefined : session.languageOf(view.texts.has('placeholder')).dir}
        aria-describedby={[...units, describedBy ?? []].flat().join(' ') || undefined}
        aria-invalid={invalid}
        aria-required={question.required}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {labels.suffix !== null && (
        <span id={`${id}-suffix`} {...session.languageOf(view.texts.has('suffix'))}>
          {labels.suffix}
        </span>
      )}
    </div>
  );
}

/** Returns a number as typed in the form that the API accepts: without surrounding spaces, a decimal comma as a point. */
export const normalizeNumber = (input: unknown): unknown =>
  typeof input === 'string' ? input.trim().replace(',', '.') : (input ?? null);

/** Returns the message of a number that is outside a range. */
export function numberProblem(
  { min, max, step, decimals }: NumberRange,
  answer: unknown,
  messages: Messages,
): string | null {
  const value = readNumber(answer);
  if (value === null) return messages.number_wrong;
  if (min !== null && max !== null && (value < min || value > max)) {
    return fillPlaceholders(messages.number_range, { n: min, m: max });
  }
  if (min !== null && value < min) return fillPlaceholders(messages.number_min, { n: min });
  if (max !== null && value > max) return fillPlaceholders(messages.number_max, { n: max });
  if (decimals !== null && Number(value.toFixed(decimals)) !== value) {
    return decimals === 0 ? messages.whole_wrong : fillPlaceholders(messages.decimals_wrong, { n: decimals });
  }
  return step === null ? null : fillPlaceholders(messages.step_wrong, { n: step });
}

export const numberField: FieldModuleOf<'number'> = {
  ...PLAIN_FIELD,
  Field: NumberField,
  role: 'control',
  hint({ question }, messages) {
    const { min, max } = question.settings;
    if (min !== null && max !== null) return fillPlaceholders(messages.number_hint_range, { n: min, m: max });
    if (min !== null) return fillPlaceholders(messages.number_hint_min, { n: min });
    return max === null ? null : fillPlaceholders(messages.number_hint_max, { n: max });
  },
  toAnswer: (_question, input) => normalizeNumber(input),
  problem: ({ settings }, answer, messages) => numberProblem(settings, answer, messages),
};
