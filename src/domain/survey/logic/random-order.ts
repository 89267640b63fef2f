import { hashOf, randomNumbers } from '../../../lib/seeded-random.ts';
import type { Option, Question } from '../definition.ts';
import type { QuestionRow } from '../../questions/question-type.ts';
import { codecFor } from '../../questions/registry.ts';

/** Returns the options as this respondent sees them. `options` are those left by logic. */
export function orderedOptions(
  question: Question,
  options: readonly Option[],
  seed: string,
): readonly Option[] {
  return shuffleItems(options, {
    mode: question.settings.shuffle,
    seed: `${seed} ${question.code}`,
    isAnchored: ({ anchor }) => anchor,
  });
}

/** Returns the rows of a matrix as this respondent sees them. */
export function orderedRows(question: Question, seed: string): readonly QuestionRow[] {
  const codec = codecFor(question);
  return shuffleItems(codec.rows(question), {
    mode: codec.shufflesRows(question) ? 'random' : 'none',
    isAnchored: ({ row_other: isOther }) => isOther === true,
    seed: `${seed} ${question.code} rows`,
  });
}

/** `random`: any order; `rotate`: the original order from a random start; `reverse`: half of the respondents see the reverse order. */
type ShuffleMode = 'none' | 'random' | 'rotate' | 'reverse';

function reordered<T extends NonNullable<unknown>>(
  items: readonly T[],
  mode: Exclude<ShuffleMode, 'none'>,
  seed: number,
): T[] {
  const random = randomNumbers(seed);
  switch (mode) {
    case 'reverse':
      return random() < 0.5 ? [...items] : [...items].reverse();
    case 'rotate': {
      const start = Math.floor(random() * items.length);
      return [...items.slice(start), ...items.slice(0, start)];
    }
    case 'random': {
      const order = [...items];
      for (let last = order.length - 1; last > 0; last--) {
        const other = Math.floor(random() * (last + 1));
        const [moved, chosen] = [order[last], order[other]];
        if (moved === undefined || chosen === undefined) break;
        order[last] = chosen;
        order[other] = moved;
      }
      return order;
    }
  }
}

/** Returns the items in the order of the seed; anchored items keep their positions. The same seed always gives the same order. */
export function shuffleItems<T extends NonNullable<unknown>>(
  items: readonly T[],
  {
    mode,
    seed,
    isAnchored = () => false,
  }: { mode: ShuffleMode; seed: string; isAnchored?: (item: T) => boolean },
): readonly T[] {
  if (mode === 'none') return items;
  const reorderedItems = reordered(
    items.filter((item) => !isAnchored(item)),
    mode,
    hashOf(seed),
  );
  let next = 0;
  return items.map((item) => (isAnchored(item) ? item : (reorderedItems[next++] ?? item)));
}
