import type { Dataset } from '../../dataset/dataset.ts';
import { type AnswerRegion, answerRegion } from '../../statistics/crosstab/axis.ts';
import type { TableRows } from '../../statistics/crosstab/count-crossing.ts';
import type { MeasuredValues } from '../chart-table.ts';
import { createDimensionAxis } from './dimension-axis.ts';
import { averagedNumber, type Measure, readMeasureValues } from './measure.ts';
import type { Protection } from '../disclosure/protection.ts';

/** Means of more different values than this reveal none of their counts. */
const MAX_VALUES = 50;

/** Reads the values of a measure, with the answers whose number its figures reveal. */
export function readMeasuredValues(
  dataset: Dataset,
  measure: Measure,
  { counting, protection }: { counting: TableRows; protection: Protection | null },
): MeasuredValues {
  const { mask } = counting;
  const values = readMeasureValues(dataset.column(measure.entry), mask.length);
  if (protection?.shared === undefined) return { measure, values };
  const isMissing = Int16Array.from(values, (value) => (Number.isNaN(value) ? 0 : 1));
  const answered: AnswerRegion = { coding: { indices: isMissing, offset: 0, size: 2 }, slots: [1] };
  if (['median', 'min', 'max'].includes(measure.name)) return { measure, values, parts: [answered] };
  const { entry } = measure;
  const { axis } = createDimensionAxis(
    dataset,
    { entry, period: null, field: 'dimension' },
    { base: 'answering', nets: [], counting, bins: 'none', isNested: false },
  );
  const answers = axis.categories.map(({ region, steps }) => {
    return { ...answerRegion(axis, region), number: steps.at(-1)?.number ?? null };
  });
  const [first] = answers;
  if (first === undefined || answers.length > MAX_VALUES || axis.overlaps)
    return { measure, values, parts: [answered] };
  const slotsOf = (some: typeof answers): AnswerRegion => {
    return { coding: first.coding, slots: some.flatMap(({ slots }) => slots) };
  };
  const whole = slotsOf(answers);
  const numbers = answers.flatMap(({ slots, number }) =>
    slots.map(() => averagedNumber(measure, number ?? 0)),
  );
  const inData = new Set<number>();
  for (let row = 0; row < mask.length; row++)
    if (mask[row] !== 0 && isMissing[row] === 1)
      inData.add((first.coding.indices[row] ?? 0) + first.coding.offset);
  const present = answers.filter(({ slots }) => slots.some((slot) => inData.has(slot)));
  const { box } = measure;
  const groups =
    measure.name === 'top_box' && box !== null
      ? [true, false].map((isIn) =>
          answers.filter(({ number }) => isIn === (number !== null && box.has(number))),
        )
      : present.length === 2
        ? present.map((one) => [one])
        : null;
  if (groups === null) return { measure, values, parts: [answered], averaged: { ...whole, numbers } };
  return { measure, values, parts: [whole, ...groups.map(slotsOf)] };
}
