import type { DateColumn, NumericColumn } from '../../columns/columns.ts';
import { wallClockValues } from '../../columns/dates.ts';
import type { Base } from '../base.ts';
import { tallyNumbers } from '../tally.ts';
import { groupDates, groupNumbers, indexByStarts, toGroupValue, type ValueGroup } from '../value-groups.ts';
import { type Axis, createSingleChoiceAxis, type Net } from './axis.ts';
import { withoutMissingCodes } from './slot-moments.ts';

interface GroupSettings {
  base: Base;
  nets: readonly Net[];
  /** 1 for every counted row. */
  mask: Uint8Array;
  maxGroups: number;
}

function createGroupedAxis(
  { spec, states }: NumericColumn | DateColumn,
  values: Float64Array,
  groups: readonly ValueGroup[],
  { base, nets, mask }: GroupSettings,
): Axis {
  const starts = groups.map(({ start }) => start);
  const indices = indexByStarts(values, { states }, { starts, rowCount: mask.length });
  return createSingleChoiceAxis(spec, groups.map(toGroupValue), { indices }, { nets, base });
}

const tallyMask = (values: Float64Array, mask: Uint8Array) =>
  tallyNumbers(values, { mask, weights: null, withoutWeight: 0 });

/** Creates the axis of amounts in intervals. Returns null if there are few different ones, which can be categories. */
export function createIntervalAxis(column: NumericColumn, settings: GroupSettings): Axis | null {
  const { maxGroups, mask } = settings;
  const values = withoutMissingCodes(column, column.spec, mask.length);
  const tally = tallyMask(values, mask);
  const grouped = tally.values.length <= maxGroups ? null : groupNumbers(tally, maxGroups);
  return grouped === null ? null : createGroupedAxis(column, values, grouped.groups, settings);
}

/** Creates the axis of dates in periods of the calendar. */
export function createPeriodAxis(column: DateColumn, settings: GroupSettings): Axis {
  const { spec } = column;
  const values = wallClockValues(spec, column.values);
  const { groups } = groupDates(spec, tallyMask(values, settings.mask), settings.maxGroups);
  return createGroupedAxis(column, values, groups, settings);
}
