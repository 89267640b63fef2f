import type { FieldProps } from './field-props.ts';

/** A slider. It has no answer until the respondent moves or clicks it. */
export function SliderField({ view, input, onInput, messages, id, describedBy, invalid }: FieldProps) {
  const { question } = view;
  if (question.type !== 'slider') return null;
  const { min, max, step, start } = question.settings;
  const isAnswered = typeof input === 'number';
  const middle = min + Math.round((max - min) / 2 / step) * step;
  const displayedValue = isAnswered ? input : (start ?? middle);
  const share = max > min ? (displayedValue - min) / (max - min) : 0;
  const applyValue = (control: HTMLInputElement) => onInput(Number(control.value));
  return (
    <div class={`slider${isAnswered ? '' : ' untouched'}`} style={{ '--share': String(share) }}>
      <output for={id}>{isAnswered ? input : messages.no_answer}</output>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={displayedValue}
        aria-valuetext={isAnswered ? String(input) : messages.no_answer}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        aria-required={question.required ? true : undefined}
        onInput={(event) => applyValue(event.currentTarget)}
        // A click that does not move the handle is also an answer.
        onPointerUp={(event) => applyValue(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== ' ') return;
          event.preventDefault();
          applyValue(event.currentTarget);
        }}
      />
      <div class="ends" aria-hidden="true">
        <bdi dir="ltr">{min}</bdi>
        <bdi dir="ltr">{max}</bdi>
      </div>
    </div>
  );
}
