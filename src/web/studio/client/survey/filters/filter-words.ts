import { texts } from '../../../texts.ts';
import { sideOfOperator } from '../../question-types/filter-sides.ts';
import { takesList } from '../../question-types/operators.ts';
import type { FilterSide, Operator } from '../../question-types/question-type.ts';
import type { ViewFilter } from '../results-view.ts';
import { type FilterField, findTarget } from './filter-fields.ts';

const t = texts.filters;

const DATE_FORMATS = new Map(
  Object.entries({
    date: { dateStyle: 'medium' },
    datetime: { dateStyle: 'medium', timeStyle: 'short' },
    month: { month: 'short', year: 'numeric' },
  } as const).map(([input, format]) => [
    input,
    new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' }),
  ]),
);

/** Dates without a time zone are formatted as they were typed. */
function formatDate(value: string, input: FilterSide['input']): string {
  const format = DATE_FORMATS.get(input);
  const time = Date.parse(input === 'datetime' ? `${value}Z` : value);
  return format === undefined || Number.isNaN(time) ? value : format.format(time);
}

function labelOf(value: string, side: FilterSide | undefined): string {
  const listed = side?.values.find((each) => each.value === value);
  if (listed !== undefined) return listed.label;
  if (side?.kind === 'date') return formatDate(value, side.input);
  return side?.kind === 'text' ? `“${value}”` : value;
}

/** The labels of values, with one name for all values of a group. */
function listInWords(values: readonly string[], side: FilterSide | undefined): string {
  const chosen = new Set(values);
  const groups = (side?.groups ?? []).filter((group) => group.values.every((each) => chosen.has(each)));
  const grouped = new Set(groups.flatMap((group) => group.values));
  const others = values.filter((value) => !grouped.has(value)).map((value) => labelOf(value, side));
  return [...groups.map(({ label }) => label), ...others].join(', ');
}

const isKeyOf = <T extends object>(key: PropertyKey, object: T): key is keyof T => Object.hasOwn(object, key);

function phraseOf(
  operator: Operator,
  side: FilterSide | undefined,
): (first: string, second: string) => string {
  if (side?.kind === 'date' && isKeyOf(operator, t.datePhrases)) return t.datePhrases[operator];
  if (side?.kind === 'flags' && isKeyOf(operator, t.flagPhrases)) return t.flagPhrases[operator];
  return t.phrases[operator];
}

/** Describes a filter, such as "How old are you?" and "at least 18". Unknown codes are their own names. */
export function filterInWords(
  { code, part, operator, values }: ViewFilter,
  fields: readonly FilterField[],
): { name: string; condition: string } {
  const found = findTarget(fields, { code, part });
  const side = found && sideOfOperator(found.target.side, operator);
  const hasParts = found !== undefined && found.field.targets.length > 1;
  const partName = hasParts && found.target !== found.field.targets.at(-1) ? found.target.label : null;
  const name = [found?.field.name ?? code, found === undefined ? part : partName]
    .filter((each) => each !== null)
    .join(' · ');
  const [first = '', second = ''] = takesList(operator)
    ? [listInWords(values, side)]
    : values.map((value) => labelOf(value, side));
  return { name, condition: phraseOf(operator, side)(first, second) };
}
