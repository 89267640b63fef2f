import { texts } from '../../texts.ts';
import type { EditorQuestion } from './editor-content.ts';

const MAX_POINTS = 21;

/** How the answer of a question without options will look. It takes no input and says nothing to screen readers. */
export function AnswerSketch({ question }: { question: EditorQuestion }) {
  const settings = question.question_settings;
  const textOf = (name: string): string => {
    const value = settings[name];
    return typeof value === 'string' ? value : '';
  };
  const numberOf = (name: string, fallback: number): number => {
    const value = settings[name];
    return typeof value === 'number' ? value : fallback;
  };
  switch (question.question_type) {
    case 'scale':
      return (
        <Points
          min={numberOf('min', 1)}
          max={numberOf('max', 5)}
          step={numberOf('step', 1)}
          labels={[textOf('min_label'), textOf('mid_label'), textOf('max_label')]}
        />
      );
    case 'nps':
      return <Points min={0} max={10} step={1} labels={[textOf('min_label'), '', textOf('max_label')]} />;
    case 'slider':
      return (
        <div class="sketch" aria-hidden="true">
          <div class="sketch-track">
            <i />
          </div>
          <div class="sketch-ends">
            <span>{numberOf('min', 0)}</span>
            <span>{numberOf('max', 100)}</span>
          </div>
        </div>
      );
    default:
      return (
        <div class="sketch" aria-hidden="true">
          <span>{textOf('prefix')}</span>
          <div class={settings.multiline === true ? 'sketch-box tall' : 'sketch-box'}>
            {textOf('placeholder') || texts.editor.types[question.question_type].label}
          </div>
          <span>{textOf('suffix')}</span>
        </div>
      );
  }
}

function Points({
  min,
  max,
  step,
  labels,
}: {
  min: number;
  max: number;
  step: number;
  labels: readonly string[];
}) {
  const count = Math.min(MAX_POINTS, Math.max(0, Math.floor((max - min) / Math.max(step, 1)) + 1));
  return (
    <div class="sketch points" aria-hidden="true">
      <ol>
        {Array.from({ length: count }, (_, index) => (
          <li key={index}>{min + index * Math.max(step, 1)}</li>
        ))}
      </ol>
      <div class="sketch-ends">
        {labels.map((label, index) => (
          <span key={index}>{label}</span>
        ))}
      </div>
    </div>
  );
}
