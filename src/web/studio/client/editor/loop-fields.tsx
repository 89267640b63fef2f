import { SelectField } from '../../../shared/client/fields.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { loopTexts } from '../../texts/loops.ts';
import type { Schema } from '../data/api.ts';

const words = loopTexts;

export type Loop = NonNullable<Schema<'Block'>['block_loop']>;
type Item = NonNullable<Loop['items']>[number];

/** A question over whose options a loop can go. */
export interface LoopSource {
  code: string;
  name: string;
  /** As items of a loop. */
  items: readonly { code: string; label: string }[];
}

const SOURCES = ['chosen', 'not_chosen', 'listed'] as const;
const ORDERS = ['fixed', 'random', 'least_filled'] as const;

/** For which items a block is shown, how many of them, and in which order. null: it is shown once. */
export function LoopFields({
  value,
  sources,
  onChange,
}: {
  value: Loop | null;
  sources: readonly LoopSource[];
  onChange: (value: Loop | null) => void;
}) {
  const change = (changes: Partial<Loop>) => value !== null && onChange({ ...value, ...changes });
  const chooseOver = (name: string) => {
    const over = SOURCES.find((each) => each === name);
    if (over === undefined) onChange(null);
    else
      onChange({
        max_items: null,
        order: 'fixed',
        ...value,
        over,
        ...(over === 'listed'
          ? { question_code: null, items: value?.over === 'listed' ? value.items : [newItem([])] }
          : {
              question_code: value?.question_code ?? sources[0]?.code ?? null,
              items: value?.over === 'listed' ? [] : (value?.items ?? []),
            }),
      });
  };
  const source = sources.find(({ code }) => code === value?.question_code);
  return (
    <div class="loop">
      <SelectField
        name="loop_over"
        label={words.over}
        value={value?.over ?? ''}
        options={[
          ['', words.once],
          ...SOURCES.filter((over) => over === 'listed' || sources.length > 0).map(
            (over): [string, string] => [over, words.sources[over]],
          ),
        ]}
        onChange={chooseOver}
      />
      {value !== null && (
        <>
          {value.over !== 'listed' && (
            <SelectField
              name="loop_question"
              label={words.question}
              value={value.question_code ?? ''}
              options={sources.map(({ code, name }) => [code, name])}
              onChange={(code) => change({ question_code: code, items: [] })}
            />
          )}
          <SelectField
            name="loop_order"
            label={words.order}
            value={value.order}
            options={ORDERS.map((order) => [order, words.orders[order]])}
            onChange={(chosen) => {
              const order = ORDERS.find((each) => each === chosen);
              if (order !== undefined) change({ order });
            }}
          />
          <label class="labeled">
            {words.max}
            <input
              class="field loop-max"
              inputMode="numeric"
              placeholder={words.all}
              value={value.max_items ?? ''}
              onChange={({ currentTarget: { value: written } }) =>
                change({ max_items: written.trim() === '' ? null : Number(written) })
              }
            />
          </label>
          <p class="hint">{words.textsAbout}</p>
          <ItemTable value={value} source={source} onChange={(items) => change({ items })} />
        </>
      )}
    </div>
  );
}

const PLAIN_ITEM = { attributes: {}, translations: {} };

/** The next letter that no item has. */
const newItem = (items: readonly Item[]): Item => {
  const taken = new Set(items.map(({ item_code: code }) => code.toLowerCase()));
  const letter = [...'abcdefghijklmnopqrstuvwxyz'].find((each) => !taken.has(each));
  return { ...PLAIN_ITEM, item_code: letter ?? `item${items.length + 1}`, item_label: '' };
};

/** The items of a list, or the options of a question, with a column for each attribute. */
function ItemTable({
  value,
  source,
  onChange,
}: {
  value: Loop;
  source: LoopSource | undefined;
  onChange: (items: Item[]) => void;
}) {
  const isListed = value.over === 'listed';
  const stored = value.items ?? [];
  const items: Item[] = isListed
    ? stored
    : (source?.items ?? []).map(
        ({ code, label }) =>
          stored.find((item) => item.item_code === code) ?? {
            ...PLAIN_ITEM,
            item_code: code,
            item_label: label,
          },
      );
  const names = [...new Set(items.flatMap(({ attributes }) => Object.keys(attributes)))];
  const save = (next: Item[]) =>
    // Options without attributes need no entry.
    onChange(isListed ? next : next.filter(({ attributes }) => Object.keys(attributes).length > 0));
  const changeItem = (index: number, changes: Partial<Item>) =>
    save(items.map((item, at) => (at === index ? { ...item, ...changes } : item)));
  const rename = (before: string, after: string) =>
    save(
      items.map((item) => ({
        ...item,
        attributes: Object.fromEntries(
          Object.entries(item.attributes).flatMap(([name, text]) =>
            name !== before ? [[name, text]] : after === '' ? [] : [[after, text]],
          ),
        ),
      })),
    );
  const addAttribute = () => {
    const name =
      ['price', 'claim', 'maker'].find((each) => !names.includes(each)) ?? `text${names.length + 1}`;
    save(items.map((item) => ({ ...item, attributes: { ...item.attributes, [name]: '' } })));
  };
  return (
    <>
      {items.length > 0 && (isListed || names.length > 0) && (
        <div class="loop-items">
          <table class="arms">
            <thead>
              <tr>
                <th scope="col">{words.code}</th>
                <th scope="col">{words.label}</th>
                {names.map((name) => (
                  <th key={name} scope="col">
                    <input
                      class="field"
                      aria-label={words.attributeName(name)}
                      value={name}
                      onChange={({ currentTarget: { value: after } }) => rename(name, after.trim())}
                    />
                  </th>
                ))}
                {isListed && (
                  <th>
                    <span class="visually-hidden">{words.remove('')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {items.map((item, index) => (
                <tr key={index}>
                  <td>
                    {isListed ? (
                      <input
                        class="field"
                        aria-label={words.codeOf(index + 1)}
                        value={item.item_code}
                        onInput={({ currentTarget: { value: code } }) =>
                          changeItem(index, { item_code: code })
                        }
                      />
                    ) : (
                      item.item_code
                    )}
                  </td>
                  <td>
                    {isListed ? (
                      <input
                        class="field"
                        aria-label={words.labelOf(index + 1)}
                        value={item.item_label ?? ''}
                        onInput={({ currentTarget: { value: label } }) =>
                          changeItem(index, { item_label: label })
                        }
                      />
                    ) : (
                      source?.items[index]?.label
                    )}
                  </td>
                  {names.map((name) => (
                    <td key={name}>
                      <input
                        class="field"
                        aria-label={words.attributeOf(name, index + 1)}
                        value={item.attributes[name] ?? ''}
                        onInput={({ currentTarget: { value: text } }) =>
                          changeItem(index, { attributes: { ...item.attributes, [name]: text } })
                        }
                      />
                    </td>
                  ))}
                  {isListed && (
                    <td>
                      <button
                        type="button"
                        class="icon-button"
                        aria-label={words.remove(item.item_code)}
                        onClick={() => save(items.filter((_, at) => at !== index))}
                      >
                        <Icon name="close" />
                      </button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="buttons">
        {isListed && (
          <button type="button" class="button small" onClick={() => save([...items, newItem(items)])}>
            <Icon name="plus" /> {words.add}
          </button>
        )}
        {items.length > 0 && (
          <button type="button" class="button small" onClick={addAttribute}>
            <Icon name="plus" /> {words.addAttribute}
          </button>
        )}
      </div>
    </>
  );
}

/** The loop in a few words. */
export function loopInWords({ over, question_code: code, items, max_items: max, order }: Loop): string {
  return [
    words.inShort[over ?? 'chosen'](code ?? '', items?.length ?? 0),
    ...(max === null || max === undefined ? [] : [words.atMost(max)]),
    ...(order === undefined || order === 'fixed' ? [] : [words.ordersInShort[order]]),
  ].join(', ');
}
