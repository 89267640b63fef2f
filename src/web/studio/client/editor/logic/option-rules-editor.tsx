import { Icon } from '../../../../shared/client/icon.tsx';
import { texts } from '../../../texts.ts';
import { isWrittenOut } from '../../data/written-out-questions.ts';
import { studioTypeOf } from '../../question-types/registry.ts';
import { type Condition, type EditorOption, type EditorQuestion, isPrevious } from '../editor-content.ts';
import { textInWords } from '../piping/pipes.ts';
import { ConditionRowsEditor, FixedCondition, newRow } from './condition-editor.tsx';
import {
  type ConditionRows,
  fromConditionRows,
  isEveryRowComplete,
  NO_ROWS,
  toConditionRows,
} from './condition-rows.ts';
import { type CarryForward, carryForwardInWords, conditionInWords } from './logic-words.ts';
import { useDraft } from './use-draft.ts';

const words = texts.editor.logic;

type OptionConditions = Readonly<Record<string, Condition>>;

/** The condition of an option while it is edited. */
interface OptionDraft {
  /** `option_code`. */
  code: string;
  /** null: rows cannot show the stored condition. */
  rows: ConditionRows | null;
  stored: Condition | null;
}

const readConditions = (conditions: OptionConditions): OptionDraft[] =>
  Object.entries(conditions).map(([code, stored]) => ({ code, rows: toConditionRows(stored), stored }));

const conditionOf = ({ rows, stored }: OptionDraft, earlier: readonly EditorQuestion[]): Condition | null =>
  rows === null ? stored : isEveryRowComplete(rows, earlier) ? fromConditionRows(rows, earlier) : null;

/** Conditions of single options. One without a condition is always shown. */
export function OptionRulesEditor({
  options,
  conditions,
  earlier,
  onChange,
}: {
  options: readonly EditorOption[];
  conditions: OptionConditions;
  earlier: readonly EditorQuestion[];
  onChange: (conditions: OptionConditions) => void;
}) {
  const write = (changed: readonly OptionDraft[]): OptionConditions =>
    Object.fromEntries(
      changed.flatMap((draft) => {
        const condition = conditionOf(draft, earlier);
        return condition === null ? [] : [[draft.code, condition] as const];
      }),
    );
  const [drafts, change] = useDraft(conditions, { read: readConditions, write }, onChange);
  const used = new Set(drafts.map(({ code }) => code));
  const free = options.filter(({ option_code: code }) => !used.has(String(code)));
  const [next] = free;
  const labelOf = (code: string): string => {
    const option = options.find(({ option_code: each }) => String(each) === code);
    return option === undefined ? code : textInWords(option.option_label, earlier);
  };
  return (
    <section class="logic" aria-label={words.optionsTitle}>
      <p class="logic-title">{words.optionsTitle}</p>
      {drafts.length === 0 && <p class="hint">{words.allOptions}</p>}
      {drafts.map((draft, index) => {
        const condition = conditionOf(draft, earlier);
        const remove = () => change(drafts.toSpliced(index, 1));
        return (
          <fieldset key={index} class="condition-group">
            <legend class="visually-hidden">{words.optionRule(labelOf(draft.code))}</legend>
            <div class="rule-head">
              <span aria-hidden="true">{words.show}</span>
              <select
                class="field"
                aria-label={words.option}
                value={draft.code}
                onChange={(event) =>
                  change(drafts.with(index, { ...draft, code: event.currentTarget.value }))
                }
              >
                {[draft.code, ...free.map(({ option_code: code }) => String(code))].map((code) => (
                  <option key={code} value={code}>
                    {labelOf(code)}
                  </option>
                ))}
              </select>
              <span aria-hidden="true">{words.onlyIf}</span>
              <button
                type="button"
                class="icon-button"
                aria-label={words.removeOptionRule(labelOf(draft.code))}
                title={words.removeOptionRule(labelOf(draft.code))}
                onClick={remove}
              >
                <Icon name="close" />
              </button>
            </div>
            {draft.rows === null ? (
              <FixedCondition
                inWords={draft.stored === null ? '' : conditionInWords(draft.stored, earlier)}
                onClear={remove}
              />
            ) : (
              <ConditionRowsEditor
                rows={draft.rows}
                earlier={earlier}
                onChange={(rows) =>
                  rows.groups.length === 0 ? remove() : change(drafts.with(index, { ...draft, rows }))
                }
              />
            )}
            {condition !== null && (
              <p class="in-words">
                {words.optionInWords(labelOf(draft.code), conditionInWords(condition, earlier))}
              </p>
            )}
          </fieldset>
        );
      })}
      {next !== undefined && (
        <button
          type="button"
          class="button small"
          onClick={() =>
            change([
              ...drafts,
              {
                code: String(next.option_code),
                rows: { ...NO_ROWS, groups: [{ connector: 'and', rows: [newRow(earlier)] }] },
                stored: null,
              },
            ])
          }
        >
          {words.addOptionRule}
        </button>
      )}
    </section>
  );
}

const MODES = ['selected', 'not_selected', 'shown'] as const;

/** Takes the options that the respondent selected, did not select or saw in an earlier question. */
export function CarryForwardEditor({
  question,
  carryForward,
  earlier,
  onChange,
  onUseSourceOptions,
}: {
  question: EditorQuestion;
  carryForward: CarryForward | null;
  earlier: readonly EditorQuestion[];
  onChange: (carryForward: CarryForward | null) => void;
  /** Replaces the options of the question by those of the earlier one. */
  onUseSourceOptions: () => void;
}) {
  const sources = earlier.filter(
    (each) => !isPrevious(each) && !isWrittenOut(each) && studioTypeOf(each).options?.hasLogic === true,
  );
  if (sources.length === 0 && carryForward === null) return null;
  const from = carryForward?.from ?? '';
  const source = earlier.find(({ question_code: code }) => code === from);
  const hasSameOptions = source !== undefined && describeOptions(source) === describeOptions(question);
  return (
    <section class="logic" aria-label={words.carryTitle}>
      <p class="logic-title">{words.carryTitle}</p>
      <div class="carry-forward">
        <select
          class="field"
          aria-label={words.carryFrom}
          value={from}
          onChange={({ currentTarget: { value } }) =>
            onChange(value === '' ? null : { from: value, mode: carryForward?.mode ?? 'selected' })
          }
        >
          <option value="">{words.noCarry}</option>
          {from !== '' && source === undefined && <option value={from}>{from}</option>}
          {sources.map((each) => (
            <option key={each.question_id} value={each.question_code}>
              {textInWords(each.question_text, earlier) || each.question_code}
            </option>
          ))}
        </select>
        {carryForward !== null && (
          <select
            class="field"
            aria-label={words.carryMode}
            value={carryForward.mode}
            onChange={({ currentTarget: { value } }) =>
              onChange({ from, mode: MODES.find((mode) => mode === value) ?? 'selected' })
            }
          >
            {MODES.map((mode) => (
              <option key={mode} value={mode}>
                {words.carryModes[mode]}
              </option>
            ))}
          </select>
        )}
      </div>
      {carryForward !== null && (
        <>
          <p class="in-words">{carryForwardInWords(carryForward, earlier)}</p>
          {hasSameOptions ? (
            <p class="hint">{words.carriedOptions}</p>
          ) : (
            <>
              <p class="hint">{words.ownOptions}</p>
              <button type="button" class="button small" onClick={onUseSourceOptions}>
                {words.useSourceOptions}
              </button>
            </>
          )}
        </>
      )}
    </section>
  );
}

const describeOptions = ({ options }: EditorQuestion): string =>
  JSON.stringify(
    options.map(({ option_code: code, option_value: value, option_label: label }) => [code, value, label]),
  );
