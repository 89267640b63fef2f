import type { AnswerSketch as Sketch } from '../question-types/question-type.ts';

/** Draws how the answer of a question without options will look. It takes no input and says nothing to screen readers. */
export function AnswerSketch({ sketch }: { sketch: Sketch }) {
  switch (sketch.kind) {
    case 'points':
      return (
        <div class="sketch points" aria-hidden="true">
          <ol>
            {sketch.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ol>
          <div class="sketch-ends">
            {sketch.labels.map((label, index) => (
              <span key={index}>{label}</span>
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
          <span>{sketch.before}</span>
          <div class={sketch.isTall ? 'sketch-box tall' : 'sketch-box'}>{sketch.placeholder}</div>
          <span>{sketch.after}</span>
        </div>
      );
  }
}
