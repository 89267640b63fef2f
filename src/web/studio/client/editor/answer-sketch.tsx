import { useId } from 'preact/hooks';
import type { AnswerSketch as Sketch, PointLabel } from '../question-types/question-type.ts';

/** Draws how the answer of a question without options will look. Only the labels of points take input; screen readers skip the rest. */
export function AnswerSketch({
  sketch,
  problemAt,
  onChange,
}: {
  /** A scale has an editor, ScaleEditor. */
  sketch: Exclude<Sketch, { kind: 'scale' }>;
  /** Message of the API at a field of the request. */
  problemAt: (field: string, label: string) => string | null;
  /** Changes settings. */
  onChange: (settings: Record<string, unknown>) => void;
}) {
  switch (sketch.kind) {
    case 'points':
      return (
        <div class="sketch points">
          <ol aria-hidden="true">
            {sketch.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ol>
          <div class="sketch-ends">
            {sketch.labels.map((label) => (
              <PointLabelField
                key={label.setting}
                label={label}
                problem={problemAt(`question_settings.${label.setting}`, label.name)}
                onInput={(text) => onChange({ [label.setting]: text === '' ? null : text })}
              />
            ))}
          </div>
        </div>
      );
    case 'track':
      return (
        <div class="sketch track" aria-hidden="true">
          <div class="sketch-track">
            <i />
          </div>
          <div class="sketch-ends">
            <span>{sketch.lowest}</span>
            <span>{sketch.highest}</span>
          </div>
        </div>
      );
    case 'box':
      return (
        <div class="sketch" aria-hidden="true">
          {sketch.before !== '' && <span>{sketch.before}</span>}
          <div class={sketch.isTall ? 'sketch-box tall' : 'sketch-box'}>{sketch.placeholder}</div>
          {sketch.after !== '' && <span>{sketch.after}</span>}
        </div>
      );
  }
}

function PointLabelField({
  label: { name, text },
  problem,
  onInput,
}: {
  label: PointLabel;
  problem: string | null;
  onInput: (text: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <input
        class="inline-field"
        aria-label={name}
        placeholder={name}
        value={text}
        autocomplete="off"
        aria-invalid={problem !== null}
        {...(problem === null ? {} : { 'aria-describedby': id })}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {problem !== null && (
        <p class="problem" id={id}>
          {problem}
        </p>
      )}
    </div>
  );
}
