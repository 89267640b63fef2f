import { WAVE_COLUMN } from '../../responses/metadata-columns.ts';
import type { Axis, AxisCategory } from './axis.ts';

/** A wave of the survey. Waves are in the order of time. */
export interface WaveStart {
  waveId: number;
  /** Null: it was open from the beginning. */
  start: Date | null;
}

/** The earlier waves that a column of a wave is compared with. */
export const WAVE_COMPARISONS = ['previous_wave', 'year_before'] as const;
export type WaveComparison = (typeof WAVE_COMPARISONS)[number];

const DAY_MS = 86_400_000;
/** How far from a year before a wave can start: half of a quarter. */
const MAX_DAYS_FROM_YEAR = 45;

function findYearBefore({ start }: WaveStart, waves: readonly WaveStart[]): WaveStart | null {
  if (start === null) return null;
  const wanted = new Date(start);
  wanted.setUTCFullYear(wanted.getUTCFullYear() - 1);
  const distanceOf = (wave: WaveStart) =>
    wave.start === null ? Infinity : Math.abs(wave.start.getTime() - wanted.getTime());
  const [nearest] = waves.toSorted((a, b) => distanceOf(a) - distanceOf(b));
  return nearest === undefined || distanceOf(nearest) > MAX_DAYS_FROM_YEAR * DAY_MS ? null : nearest;
}

const waveStepOf = ({ steps }: AxisCategory) => steps.find(({ columnCode }) => columnCode === WAVE_COLUMN);

/**
 * Finds the column of the same categories in an earlier wave, by column; null without one. Only waves with respondents count: the previous
 * wave is the last of them before, and the wave of a year before starts nearest to one year before, at most 45 days from it.
 *
 * @param columnSizes respondents by column
 */
export function findWavePairs(
  { categories }: Pick<Axis, 'categories'>,
  waves: readonly WaveStart[],
  columnSizes: readonly number[],
): Record<WaveComparison, (number | null)[]> {
  const keyOf = ({ steps }: AxisCategory, waveId: number | null) =>
    JSON.stringify(
      steps.map(({ columnCode, value, values, label }) =>
        columnCode === WAVE_COLUMN ? waveId : [columnCode, value, values, label],
      ),
    );
  const columnOf = new Map<string, number>();
  const present = new Set<number>();
  for (const [index, category] of categories.entries()) {
    const waveId = waveStepOf(category)?.code ?? null;
    if (waveId === null) continue;
    columnOf.set(keyOf(category, waveId), index);
    if ((columnSizes[index] ?? 0) > 0) present.add(waveId);
  }
  const inData = waves.filter(({ waveId }) => present.has(waveId));
  const columnIn = (find: (wave: WaveStart, earlier: readonly WaveStart[]) => WaveStart | null) =>
    categories.map((category) => {
      const code = waveStepOf(category)?.code ?? null;
      const position = inData.findIndex(({ waveId }) => waveId === code);
      const wave = inData[position];
      const found = wave === undefined ? null : find(wave, inData.slice(0, position));
      return found === null ? null : (columnOf.get(keyOf(category, found.waveId)) ?? null);
    });
  return {
    previous_wave: columnIn((_, earlier) => earlier.at(-1) ?? null),
    year_before: columnIn(findYearBefore),
  };
}
