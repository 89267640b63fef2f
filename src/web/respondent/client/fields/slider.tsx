import { sliderAnswers } from '../../../../domain/questions/types/slider.ts';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';
import { numberProblem } from './number-input.tsx';

/** A slider. It has no answer until the respondent moves or clicks it. */
function SliderField({
  view,
  input,
  onInput,
  messages,
  id,
  describedBy,
  invalid,
}: FieldProps<QuestionWithType<'slider'>>) {
  const { question } = view;
  const { min, max, step, start } = question.settings;
  const isAnswered = typeof input === 'number';
  // The middle would suggest an answer.
  const rest = Math.min(Math.max(0, min), max);
  const displayedValue = isAnswered ? input : (start ?? rest);
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

export const sliderField: FieldModuleOf<'slider'> = {
  ...PLAIN_FIELD,
  answers: sliderAnswers,
  Field: SliderField,
  role: 'control',
  needsClearButton: true,
  hint: (_view, messages) => messages.slider_hint,
  problem: ({ settings }, answer, messages) =>
    numberProblem({ ...settings, decimals: null }, answer, messages),
};
