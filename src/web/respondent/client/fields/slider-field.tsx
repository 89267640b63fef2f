import type { FieldProps } from './field-props.ts';

/** A slider. It has no answer until the respondent moves or clicks it. */
export function SliderField({ view, input, onInput, messages, id, describedBy, invalid }: FieldProps) {
  const { question } = view;
  if (question.type !== 'slider') return null;
  const { min, max, step, start } = question.settings;
  const answered = typeof input === 'number';
  const middle = min + Math.round((max - min) / 2 / step) * step;
  const shown = answered ? input : (start ?? middle);
  const share = max > min ? (shown - min) / (max - min) : 0;
  const take = (control: HTMLInputElement) => onInput(Number(control.value));
  return (
    <div class={`slider${answered ? '' : ' untouched'}`} style={{ '--share': String(share) }}>
      <output for={id}>{answered ? input : messages.no_answer}</output>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={shown}
        aria-valuetext={answered ? String(input) : messages.no_answer}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        aria-required={question.required ? true : undefined}
        onInput={(event) => take(event.currentTarget)}
        // A click that does not move the handle is also an answer.
        onPointerUp={(event) => take(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== ' ') return;
          event.preventDefault();
          take(event.currentTarget);
        }}
      />
      <div class="ends" aria-hidden="true">
        <bdi dir="ltr">{min}</bdi>
        <bdi dir="ltr">{max}</bdi>
      </div>
    </div>
  );
}
