import { blocksTexts } from '../../texts/blocks.ts';
import type { Schema } from '../data/api.ts';

const words = blocksTexts;

export type Arrangement = NonNullable<Schema<'Block'>['block_arrangement']>;

const ORDERS = ['fixed', 'random', 'rotate', 'reverse'] as const;
const ALL_IN_ORDER: Arrangement = { order: 'fixed', pinned: [], show: null };

/** The order and number of what a survey, a block or a page contains. null: all, in survey order. */
export function ArrangementFields({
  value,
  names,
  onChange,
}: {
  value: Arrangement | null;
  /** Of the contents, in survey order. */
  names: readonly string[];
  onChange: (value: Arrangement | null) => void;
}) {
  const current = value ?? ALL_IN_ORDER;
  const change = (changes: Partial<Arrangement>) => {
    const next = { ...current, ...changes };
    onChange(next.order === 'fixed' && next.show === null ? null : next);
  };
  const places = names.map((name, index) => ({ name, place: index + 1 }));
  return (
    <div class="arrangement">
      <label class="labeled">
        {words.order}
        <select
          class="field"
          value={current.order}
          onChange={(event) => {
            const order = ORDERS.find((each) => each === event.currentTarget.value);
            if (order !== undefined) change({ order });
          }}
        >
          {ORDERS.map((order) => (
            <option key={order} value={order}>
              {words.orders[order]}
            </option>
          ))}
        </select>
      </label>
      <label class="labeled">
        {words.show}
        <select
          class="field"
          value={current.show ?? ''}
          onChange={({ currentTarget: { value: chosen } }) =>
            change({ show: chosen === '' ? null : Number(chosen) })
          }
        >
          <option value="">{words.showAll}</option>
          {places
            .filter(({ place }) => place < places.length || place === current.show)
            .map(({ place }) => (
              <option key={place} value={place}>
                {words.showSome(place, places.length)}
              </option>
            ))}
        </select>
      </label>
      {value !== null && places.length > 0 && (
        <fieldset class="choice-list pinned-places">
          <legend>{words.pinned}</legend>
          {places.map(({ name, place }) => (
            <label key={place} class="check">
              <input
                type="checkbox"
                checked={current.pinned.includes(place)}
                onChange={({ currentTarget: { checked } }) => {
                  const others = current.pinned.filter((each) => each !== place);
                  change({ pinned: checked ? [...others, place].sort((a, b) => a - b) : others });
                }}
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** The arrangement in a few words; null: all, in survey order. */
export function arrangementInWords(value: Arrangement | null): string | null {
  if (value === null) return null;
  const { order, show } = value;
  return [
    ...(order === 'fixed' ? [] : [words.ordersInShort[order]]),
    ...(show === null ? [] : [words.showInShort(show)]),
  ].join(', ');
}
