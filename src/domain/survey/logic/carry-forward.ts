import type { Option } from '../definition.ts';
import type { QuestionLogic } from './logic.ts';

/** The question that options are carried from, as this respondent met it. */
export interface CarryForwardSource {
  /** The option_values that it has. */
  values: ReadonlySet<string>;
  /** Those that were offered; none when it was not shown. */
  offered: ReadonlySet<string>;
  chosen: ReadonlySet<string>;
}

/** Which of a question's own options stay: those that the source does not have, and of the others those that `mode` asks for. */
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
