import { Fragment } from 'preact';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { NPS_RANGE, npsAnswers } from '../../../../domain/questions/types/nps.ts';
import { MAX_DRAWN_POINTS, scaleAnswers } from '../../../../domain/questions/types/scale.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';
import { numberProblem } from './number-input.tsx';
import { Star, Smiley } from './scale-shapes.tsx';

/** Maximum number of points per row: on the smallest screen, this many boxes of 24 px fit. */
const MAX_POINTS_PER_ROW = 11;
/** A scale with more labeled points is shown as boxes, because a list of them would be too long. */
const MAX_LABELED_POINTS = 11;
/** Mean width of a character in rem, at the size of labels. */
const CHARACTER_REM = 0.56;

function listPoints({ min, max, step }: { min: number; max: number; step: number }): number[] {
  const points: number[] = [];
  for (let point = min; point <= max; point += step) points.push(point);
  return points;
}

/** Splits the points into rows of equal length; the last row may be shorter. */
function splitIntoRows(points: readonly number[]): number[][] {
  const rowCount = Math.ceil(points.length / MAX_POINTS_PER_ROW);
  const perRow = Math.ceil(points.length / rowCount);
  return Array.from({ length: rowCount }, (_, row) => points.slice(row * perRow, (row + 1) * perRow));
}

/** Returns the width in rem at which labeled points fit in one row, without broken words and with at most three lines per label. */
function requiredWidthRem(labels: readonly (string | null)[]): number {
  const characters = labels.map((label) => {
    const labelWords = (label ?? '').split(/\s+/);
    return Math.max(...labelWords.map((word) => word.length), Math.ceil((label ?? '').length / 3));
  });
  const pointWidth = Math.max(4, Math.max(...characters) * CHARACTER_REM + 1.25);
  return labels.length * (pointWidth + 0.5);
}

/** The points of a scale or an NPS question. The anchors are under the first, middle and last point. */
function PointsField({
  points,
  display = 'numbers',
  view,
  input,
  onInput,
  id,
  session,
}: FieldProps<QuestionWithType<'scale' | 'nps'>> & {
  points: readonly number[];
  display?: QuestionWithType<'scale'>['settings']['display'];
}) {
  const { labels, texts } = view;
  const [first = 0] = points;
  const last = points.at(-1) ?? first;
  const middle = points[(points.length - 1) / 2] ?? null;
  const isAnchor = (point: number) => point === first || point === middle || point === last;
  const anchorKey = (point: number) =>
    point === first ? 'min_label' : point === last ? 'max_label' : 'mid_label';
  const labelOf = (point: number): string | null =>
    labels.points.get(String(point)) ?? (isAnchor(point) ? labels[anchorKey(point)] : null);
  const languageOf = (point: number) =>
    session.languageOf(
      labels.points.has(String(point))
        ? texts.has(String(point), 'point_labels')
        : texts.has(anchorKey(point)),
    );
  const radio = (point: number) => (
    <input type="radio" name={id} value={point} checked={input === point} onChange={() => onInput(point)} />
  );

  const isDrawn = display !== 'numbers' && points.length <= MAX_DRAWN_POINTS;
  /** What stands for a point. The number is read to people who cannot see a drawing. */
  const face = (point: number) => {
    const index = points.indexOf(point);
    const number = (
      <bdi class={isDrawn ? 'visually-hidden' : 'number'} dir="ltr">
        {point}
      </bdi>
    );
    if (!isDrawn) return number;
    return (
      <>
        {display === 'stars' ? (
          <Star isFilled={typeof input === 'number' && point <= input} />
        ) : (
          <Smiley mood={(2 * index) / (points.length - 1) - 1} />
        )}
        {number}
      </>
    );
  };

  const isLabeled = points.some((point) => !isAnchor(point) && labels.points.has(String(point)));
  if (isLabeled && points.length <= MAX_LABELED_POINTS) {
    return (
      <div class="labeled-points" style={{ '--need': `${requiredWidthRem(points.map(labelOf))}rem` }}>
        {points.map((point) => (
          <div key={point}>
            <label class="choice">
              {radio(point)}
              <span class="label">
                {face(point)} <span {...languageOf(point)}>{labelOf(point)}</span>
              </span>
            </label>
          </div>
        ))}
      </div>
    );
  }
  const rows = splitIntoRows(points);
  const perRow = rows[0]?.length ?? 1;
  const characters = Math.max(...points.map((point) => String(point).length));
  return (
    <div
      class={isDrawn ? 'points drawn' : 'points'}
      style={{ '--count': String(perRow), '--characters': String(characters) }}
    >
      {rows.map((row) => {
        const anchors = [first, middle, last].map((point) =>
          point !== null && row.includes(point) ? point : null,
        );
        const [, middlePoint] = anchors;
        const hasAnchor = anchors.some((point) => point !== null && labelOf(point) !== null);
        const isMiddleLabeled =
          middlePoint !== null && middlePoint !== undefined && labelOf(middlePoint) !== null;
        return (
          <Fragment key={row[0]}>
            <div class="row">
              {row.map((point) => (
                <label key={point} class="point">
                  {radio(point)}
                  <span class="box">
                    {face(point)}
                    {labelOf(point) !== null && (
                      <span class="visually-hidden">
                        , <span {...languageOf(point)}>{labelOf(point)}</span>
                      </span>
                    )}
                  </span>
                </label>
              ))}
            </div>
            {hasAnchor && (
              <div
                class={`anchors${isMiddleLabeled ? ' three' : ''}`}
                style={{ '--share': String(row.length / perRow) }}
                aria-hidden="true"
              >
                {anchors.map(
                  (point, index) =>
                    (index !== 1 || isMiddleLabeled) && (
                      <span key={index} {...(point === null ? {} : languageOf(point))}>
                        {point === null ? null : labelOf(point)}
                      </span>
                    ),
                )}
              </div>
            )}
          </Fragment>
        );
      })}
    </div>
  );
}

export const scaleField: FieldModuleOf<'scale'> = {
  ...PLAIN_FIELD,
  answers: scaleAnswers,
  Field: (props) => {
    const { settings } = props.view.question;
    return <PointsField {...props} points={listPoints(settings)} display={settings.display} />;
  },
  role: 'radiogroup',
  needsClearButton: true,
  problem: ({ settings }, answer, messages) =>
    numberProblem({ ...settings, decimals: null }, answer, messages),
};

export const npsField: FieldModuleOf<'nps'> = {
  ...PLAIN_FIELD,
  answers: npsAnswers,
  Field: (props) => <PointsField {...props} points={listPoints(NPS_RANGE)} />,
  role: 'radiogroup',
  needsClearButton: true,
  problem: (_question, answer, messages) => numberProblem(NPS_RANGE, answer, messages),
};
