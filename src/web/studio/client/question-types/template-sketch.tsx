import type { ComponentChildren } from 'preact';

/** What the sketch draws of a question. */
export interface SketchedQuestion {
  question_type: string;
  question_settings?: Readonly<Record<string, unknown>>;
  options?: readonly object[];
}

const WIDTH = 240;
const HEIGHT = 132;
const MARGIN = 12;
const INNER = WIDTH - 2 * MARGIN;
const SHOWN_LINES = 4;

/** Draws the first questions of a template, as far as they fit. It says nothing that the list of questions does not. */
export function TemplateSketch({ questions }: { questions: readonly SketchedQuestion[] }) {
  let y = MARGIN;
  const parts = questions.slice(0, 3).map((question, index) => {
    const top = y;
    const { height, drawing } = sketchAnswer(question, top + 12);
    y = top + 12 + height + 14;
    return (
      <g key={index}>
        <rect class="sketch-text" x={MARGIN} y={top} width={textWidth(index)} height="6" rx="3" />
        {drawing}
      </g>
    );
  });
  return (
    <svg class="template-sketch" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {parts}
    </svg>
  );
}

const numberOf = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** Texts of different lengths. */
const textWidth = (index: number): number => [150, 110, 130][index % 3] ?? 120;

const boxes = (count: number, y: number) => {
  const width = (INNER - 4 * (count - 1)) / count;
  return Array.from({ length: count }, (_, index) => (
    <rect
      key={index}
      class="sketch-line"
      x={MARGIN + index * (width + 4)}
      y={y}
      width={width}
      height="14"
      rx="3"
    />
  ));
};

function sketchAnswer(question: SketchedQuestion, y: number): { height: number; drawing: ComponentChildren } {
  const { question_settings: settings = {}, options = [] } = question;
  const lines = Math.min(SHOWN_LINES, options.length);
  switch (question.question_type) {
    case 'scale':
      return { height: 14, drawing: boxes(numberOf(settings.max, 5) - numberOf(settings.min, 1) + 1, y) };
    case 'nps':
      return { height: 14, drawing: boxes(11, y) };
    case 'matrix': {
      const rows = Math.min(SHOWN_LINES, Array.isArray(settings.rows) ? settings.rows.length : 2);
      return {
        height: rows * 11,
        drawing: Array.from({ length: rows }, (_, row) => (
          <g key={row}>
            <rect class="sketch-soft" x={MARGIN} y={y + row * 11 + 1} width="70" height="5" rx="2.5" />
            {options.slice(0, 5).map((__, column) => (
              <circle key={column} class="sketch-line" cx={120 + column * 24} cy={y + row * 11 + 4} r="3.5" />
            ))}
          </g>
        )),
      };
    }
    case 'text':
      return {
        height: 26,
        drawing: <rect class="sketch-line" x={MARGIN} y={y} width={INNER} height="26" rx="4" />,
      };
    case 'number':
      return {
        height: 16,
        drawing: <rect class="sketch-line" x={MARGIN} y={y} width="60" height="16" rx="4" />,
      };
    default:
      return {
        height: lines * 11,
        drawing: Array.from({ length: lines }, (_, line) => (
          <g key={line}>
            {question.question_type === 'multiple_choice' ? (
              <rect class="sketch-line" x={MARGIN} y={y + line * 11} width="7" height="7" rx="1.5" />
            ) : (
              <circle class="sketch-line" cx={MARGIN + 3.5} cy={y + line * 11 + 3.5} r="3.5" />
            )}
            <rect
              class="sketch-soft"
              x={MARGIN + 14}
              y={y + line * 11 + 1}
              width={90 - line * 12}
              height="5"
              rx="2.5"
            />
          </g>
        )),
      };
  }
}
