import { crossedValue } from '../../../../domain/weighting/weighting-cells.ts';
import type { Schema } from '../data/api.ts';
import { readTypedNumber, typedForm } from '../data/typed-number.ts';

type WeightRequest = Schema<'Weight'>['request'];

/** The targets of one question, or of the combinations of crossed ones, as they are typed. */
export interface DraftDimension {
  /** Keeps its place on the page. */
  key: number;
  /** One code, or two that are crossed. Empty: not chosen yet. */
  codes: readonly string[];
  /** By value. */
  targets: Readonly<Record<string, string>>;
}

export interface WeightDraft {
  name: string;
  dimensions: readonly DraftDimension[];
  minWeight: string;
  maxWeight: string;
  baseWeight: string;
  missing: WeightRequest['missing'];
  autoRefresh: boolean;
}

let lastKey = 0;
export const newDimension = (codes: readonly string[] = []): DraftDimension => ({
  key: (lastKey += 1),
  codes,
  targets: {},
});

export const newDraft = (name: string): WeightDraft => ({
  name,
  dimensions: [newDimension()],
  minWeight: '',
  maxWeight: '',
  baseWeight: '',
  missing: 'keep_share',
  autoRefresh: false,
});

/** A group of respondents with its share of the sample in percent. */
export interface Group {
  value: string;
  label: string;
  percent: number;
  count: number;
}

/** Returns the groups of a row variable of a crosstab without columns: those that can have a target. */
export const groupsOf = (table: Schema<'Crosstab'>['tables'][number]): Group[] =>
  table.rows
    .filter(({ is_net: isNet, missing }) => !isNet && !missing)
    .map(({ label, categories, total }) => ({
      value: crossedValue(categories.map(({ value }) => value ?? '')),
      label: categories.length > 1 ? crossedValue(categories.map((each) => each.label)) : label,
      percent: total.column_percent ?? 0,
      count: total.count,
    }));

/** Decimals that are enough for a share. */
const DECIMALS = 4;
export const shareText = (percent: number): string => typedForm(Number(percent.toFixed(DECIMALS)));

/** The sum of the typed targets; null: one is missing or is no number. */
export function totalOf(groups: readonly Group[], targets: DraftDimension['targets']): number | null {
  let total = 0;
  for (const { value } of groups) {
    const typed = numberOf(targets[value] ?? '');
    if (typed === null) return null;
    total += typed;
  }
  return total;
}

/** The API accepts this difference to 100 %. */
const SLACK = 0.1 + 1e-9;
export const isWhole = (total: number | null): boolean => total !== null && Math.abs(total - 100) <= SLACK;

/** Returns the typed targets multiplied so that they add up to 100. */
export function scaleTargets(groups: readonly Group[], { targets }: DraftDimension): Record<string, string> {
  const total = totalOf(groups, targets) ?? 0;
  return Object.fromEntries(
    groups.map(({ value }) => [
      value,
      shareText((100 * (numberOf(targets[value] ?? '') ?? 0)) / (total || 1)),
    ]),
  );
}

/** Cells of a spreadsheet are separated by tabs, and lines of a text often by semicolons. */
const CELL_SEPARATOR = /\t|;/;
const withoutPercentSign = (cell: string): string => (cell.endsWith('%') ? cell.slice(0, -1).trim() : cell);

/**
 * Reads pasted targets: a column of numbers for `groups` from `start`, a row of them, or two columns with the labels of the groups and their
 * targets in any order. Empty if the text is one value, which the field takes itself, or contains no numbers.
 */
export function readPastedTargets(
  text: string,
  groups: readonly Group[],
  start: number,
): Record<string, string> {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.split(CELL_SEPARATOR).map((cell) => withoutPercentSign(cell.trim())))
    .filter((cells) => cells.some((cell) => cell !== ''));
  const isNumber = (cell: string | undefined): cell is string =>
    cell !== undefined && cell !== '' && readTypedNumber(cell, null).value !== null;
  const fill = (cells: readonly (string | undefined)[]) =>
    Object.fromEntries(
      cells.flatMap((cell, index) => {
        const group = groups[start + index];
        return group !== undefined && isNumber(cell) ? [[group.value, cell]] : [];
      }),
    );
  if (lines.length === 1) {
    const [cells = []] = lines;
    return cells.length > 1 && cells.every(isNumber) ? fill(cells) : {};
  }
  const byLabel = new Map(
    groups.flatMap(({ label, value }) => [[fold(label), value] as const, [fold(value), value] as const]),
  );
  const labeled = lines.flatMap((cells) => {
    const value = byLabel.get(fold(cells[0] ?? ''));
    const target = cells.slice(1).find(isNumber);
    return value !== undefined && target !== undefined ? [[value, target] as const] : [];
  });
  if (labeled.length > 0) return Object.fromEntries(labeled);
  return fill(lines.map((cells) => cells.findLast(isNumber)));
}

/** Labels are the same in any case and with any spaces. */
const fold = (text: string): string =>
  text
    .toLocaleLowerCase()
    .split(/\s/)
    .filter((part) => part !== '')
    .join(' ');

const numberOf = (text: string): number | null =>
  text.trim() === '' ? null : readTypedNumber(text, null).value;

/** Returns what is wrong with a limit; null: nothing, or it is empty. */
export const limitProblem = (text: string): string | null =>
  text.trim() === '' ? null : readTypedNumber(text, null).problem;

/** Returns the fields of a request for the draft. What has no number is left out. */
export function requestOf({ dimensions, minWeight, maxWeight, baseWeight, missing }: WeightDraft) {
  const [min, max] = [numberOf(minWeight), numberOf(maxWeight)];
  return {
    dimensions: dimensions
      .filter(({ codes }) => codes.length > 0)
      .map(({ codes: [code = '', ...others], targets }) => ({
        column_code: code,
        crossed_with: others,
        targets: Object.entries(targets).flatMap(([value, text]) => {
          const target = numberOf(text);
          return target === null ? [] : [{ value, target }];
        }),
      })),
    target_type: 'percent' as const,
    ...(min === null ? {} : { min_weight: min }),
    ...(max === null ? {} : { max_weight: max }),
    ...(baseWeight === '' ? {} : { base_weight_column: baseWeight }),
    missing,
  };
}

/** Returns a draft with the targets of a stored weight, in percent. */
export function draftOf({ request, label, auto_refresh: autoRefresh }: Schema<'Weight'>): WeightDraft {
  const textOf = (value: number | null) => (value === null ? '' : typedForm(value));
  return {
    name: label,
    dimensions: request.dimensions.map(({ column_code: code, crossed_with: others, targets }) => {
      const total = targets.reduce((sum, { target }) => sum + target, 0);
      return {
        ...newDimension([code, ...others]),
        targets: Object.fromEntries(
          targets.map(({ value, target }) => [value, shareText((100 * target) / (total || 1))]),
        ),
      };
    }),
    minWeight: textOf(request.min_weight),
    maxWeight: textOf(request.max_weight),
    baseWeight: request.base_weight_column ?? '',
    missing: request.missing,
    autoRefresh,
  };
}
