import type { ColumnSpec } from '../columns/column-spec.ts';
import { PRESENT, SKIPPED } from '../columns/columns.ts';
import { type DatePrecision, dateToText } from '../columns/dates.ts';
import { type CalendarPeriod, listPeriods, periodName } from './calendar-periods.ts';
import { computeHistogram, formatBinLabels, type Histogram } from './histogram.ts';
import type { Tally } from './tally.ts';

/** A range of values that begins at `start` and ends where the next one begins. */
export interface ValueGroup {
  start: number;
  value: string;
  label: string;
}

/** A group as a value of a variable. */
export const toGroupValue = ({ value, label }: ValueGroup) => ({
  code: null,
  value,
  number: null,
  label,
  missing: false,
});

/** Ascending ranges that contain all values, including empty ones, so that gaps are visible. */
export interface ValueGroups {
  groupedBy: 'interval' | 'hour' | 'date' | Exclude<CalendarPeriod, 'day'>;
  /** The bounds of intervals, one more than groups; null for periods. */
  breaks: number[] | null;
  groups: ValueGroup[];
}

/** The bins of a histogram as groups. */
export const histogramGroups = (histogram: Histogram): ValueGroup[] =>
  formatBinLabels(histogram).map((name, index) => ({ ...name, start: histogram.breaks[index] ?? NaN }));

/** The bins of a number: at most `maxBins` of equal width with round bounds. Returns null if all values are equal. */
export function histogramOfAtMost(tally: Tally, maxBins: number): Histogram | null {
  // Rounding the bounds can add a bin.
  for (let wanted = maxBins; wanted > 0; wanted--) {
    const histogram = computeHistogram(tally, wanted);
    if (histogram === null || histogram.breaks.length - 1 <= maxBins) return histogram;
  }
  return null;
}

/** Groups numbers in at most `maxGroups` intervals. Returns null if they are all equal. */
export function groupNumbers(tally: Tally, maxGroups: number): ValueGroups | null {
  const histogram = histogramOfAtMost(tally, maxGroups);
  if (histogram === null) return null;
  return { groupedBy: 'interval', breaks: histogram.breaks, groups: histogramGroups(histogram) };
}

/** From fine to coarse. */
const PERIODS: readonly CalendarPeriod[] = ['day', 'week', 'month', 'quarter', 'year', 'decade'];
const FINEST: Record<Exclude<DatePrecision, 'time'>, CalendarPeriod> = {
  datetime: 'day',
  date: 'day',
  month: 'month',
  year: 'year',
};

const MINUTES_PER_HOUR = 60;

/** Groups dates by the finest period of the calendar that gives at most `maxGroups` groups, otherwise by decade; times by hour. */
export function groupDates({ precision }: ColumnSpec, { values }: Tally, maxGroups: number): ValueGroups {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) return { groupedBy: 'date', breaks: null, groups: [] };
  if (precision === 'time') return { groupedBy: 'hour', breaks: null, groups: hours(first, last) };
  const periods = PERIODS.slice(PERIODS.indexOf(FINEST[precision ?? 'date']));
  for (const period of periods) {
    const max = period === 'decade' ? Infinity : maxGroups;
    const starts = listPeriods(first, last, period, max);
    if (starts === null) continue;
    const groups = starts.map((start) => {
      const name = periodName(start, period);
      return { start, value: name, label: name };
    });
    return { groupedBy: period === 'day' ? 'date' : period, breaks: null, groups };
  }
  throw new Error('decades have no limit');
}

/** Every hour from the first to the last value, which are minutes since midnight. */
function hours(first: number, last: number): ValueGroup[] {
  const from = Math.floor(first / MINUTES_PER_HOUR);
  const to = Math.floor(last / MINUTES_PER_HOUR);
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const start = (from + index) * MINUTES_PER_HOUR;
    const text = dateToText(start, 'time');
    return { start, value: text.slice(0, 2), label: text };
  });
}

/** Returns the index of each row's value among the groups that begin at `starts`. Negative: the reason why the value is missing. */
export function indexByStarts(
  values: Float64Array,
  { states }: { states: Uint8Array },
  { starts, rowCount }: { starts: readonly number[]; rowCount: number },
): Int16Array {
  const indices = new Int16Array(rowCount);
  const [present, skipped] = [PRESENT, SKIPPED];
  /** The start of each range and the end of the last one. */
  const bounds = Float64Array.from([...starts, Infinity]);
  let last = 0;
  for (let row = 0; row < rowCount; row++) {
    const value = values[row] ?? NaN;
    if (Number.isNaN(value) || starts.length === 0) {
      const state = states[row] ?? present;
      // A value flagged as missing is not a category.
      indices[row] = state === present ? -skipped : -state;
      continue;
    }
    // Adjacent rows often have similar values: dates are nearly in order.
    if (!(value >= (bounds[last] ?? Infinity) && value < (bounds[last + 1] ?? Infinity))) {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if ((bounds[middle] ?? Infinity) <= value) low = middle;
        else high = middle - 1;
      }
      last = low;
    }
    indices[row] = last;
  }
  return indices;
}
