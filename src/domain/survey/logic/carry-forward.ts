import type { Option } from '../definition.ts';
import type { QuestionLogic } from './logic.ts';

/** The source question of a carry-forward, as this respondent saw it. */
export interface CarryForwardSource {
  /** All its option_values. */
  values: ReadonlySet<string>;
  /** Values that were offered; empty if the question was not shown. */
  offered: ReadonlySet<string>;
  chosen: ReadonlySet<string>;
}

/** Returns the remaining options: those that the source question does not have, and those that `mode` selects. */
export function applyCarryForward(
  options: readonly Option[],
  mode: NonNullable<QuestionLogic['carry_forward']>['mode'],
  source: CarryForwardSource,
): Option[] {
  return options.filter(({ value }) => {
    if (!source.values.has(value)) return true;
    if (mode === 'shown') return source.offered.has(value);
    return source.chosen.has(value) === (mode === 'selected');
  });
}
