import type { FieldProps } from './field-props.ts';

function range(min: number, max: number, step: number): number[] {
  const points: number[] = [];
  for (let point = min; point <= max; point += step) points.push(point);
  return points;
}

/** How many stand beside each other so that the rows are as even as can be. */
function inRows(count: number, most: number): number {
  return Math.ceil(count / Math.ceil(count / most));
}

/** A scale or a recommendation from 0 to 10, as a row of points. */
export function PointsField({ view, input, onInput, id }: FieldProps) {
  const { question, labels } = view;
  if (question.type !== 'scale' && question.type !== 'nps') return null;
  const points =
    question.type === 'nps'
      ? range(0, 10, 1)
      : range(question.settings.min, question.settings.max, question.settings.step);
  const last = points.at(-1);
  const middle = points[Math.floor(points.length / 2)];
  const ends = [labels.min_label, labels.mid_label, labels.max_label];
  const labelOf = (point: number): string | null =>
    labels.points.get(String(point)) ??
    (point === points[0]
      ? labels.min_label
      : point === last
        ? labels.max_label
        : point === middle && points.length % 2 === 1
          ? labels.mid_label
          : null);
  // Every point has words of its own: they are read under each other, as in a list.
  const worded = points.length <= 11 && points.every((point) => labels.points.has(String(point)));
  return (
    <div
      class={worded ? 'choices list' : 'points'}
      style={{
        '--on-phones': String(inRows(points.length, 7)),
        '--on-desks': String(inRows(points.length, 11)),
      }}
    >
      {!worded && ends.some((end) => end !== null) && (
        <div class="ends" aria-hidden="true">
          {ends.map((end, place) => (
            <span key={place}>{end}</span>
          ))}
        </div>
      )}
      <div class={worded ? 'stack' : 'row'}>
        {points.map((point) => {
          const words = labelOf(point);
          return (
            <label key={point} class={worded ? 'choice' : 'point'}>
              <input
                type="radio"
                name={id}
                value={point}
                checked={input === point}
                onChange={() => onInput(point)}
              />
              {worded ? (
                <span class="label">
                  <span class="number">{point}</span> {words}
                </span>
              ) : (
                <span class="box">
                  {point}
                  {words !== null && <span class="unseen">, {words}</span>}
                </span>
              )}
            </label>
          );
        })}
      </div>
    </div>
  );
}
