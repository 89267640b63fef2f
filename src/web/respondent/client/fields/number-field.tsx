import type { FieldProps } from './field-props.ts';

/** A text field with a numeric keyboard. Number inputs of browsers discard invalid text, and the mouse wheel changes their value. */
export function NumberField({ view, input, onInput, id, describedBy, invalid, session }: FieldProps) {
  const { question, placeholder, labels } = view;
  if (question.type !== 'number') return null;
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
