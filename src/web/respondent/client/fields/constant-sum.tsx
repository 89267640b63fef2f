import { isRecord } from '../../../../domain/answers/read-answer.ts';
import { addUp, itemRange, wrongSum } from '../../../../domain/questions/types/constant-sum.ts';
import { readNumber, readNumberInRange } from '../../../../domain/questions/types/numeric-answers.ts';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders, type Messages } from '../localization.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';
import { normalizeNumber, numberProblem } from './number.tsx';

type SumQuestion = QuestionWithType<'constant_sum'>;

/** While typing, sums show at least these decimals, so that 12.5 is visible where whole numbers are asked. */
const SHOWN_DECIMALS = 2;

const inputOf = (input: unknown, code: number): unknown =>
  isRecord(input) && Object.hasOwn(input, String(code)) ? input[String(code)] : undefined;

/** Adds the unit of a question to a number: `$40`, `40%`, `40 points`. */
function withUnit({ prefix, suffix }: FieldProps<SumQuestion>['view']['labels'], value: number): string {
  const space = suffix !== null && /^[\p{L}\p{Sc}]/u.test(suffix) ? '\u00a0' : '';
  return `${prefix ?? ''}${value}${space}${suffix ?? ''}`;
}

/** A number input for each item, and the running total. */
function ConstantSumField({
  view,
  input,
  onInput,
  messages,
  id,
  describedBy,
  invalid,
  session,
}: FieldProps<SumQuestion>) {
  const { question, options, labels, placeholder, texts } = view;
  const { total, total_rule: rule, decimals } = question.settings;
  const typed = options.map(({ code }) => readNumber(normalizeNumber(inputOf(input, code))) ?? 0);
  const sum = addUp(typed, Math.max(decimals, SHOWN_DECIMALS));
  const left = addUp([total, -sum], Math.max(decimals, SHOWN_DECIMALS));
  const isMet = left === 0 || (rule === 'at_most' && sum > 0 && left > 0);
  const state = left < 0 ? ' over' : isMet ? ' met' : '';
  const totalId = `${id}-total`;
  return (
    <div class={`constant-sum${state}`}>
      {options.map(({ code, label, image }) => {
        const itemId = `${id}-${code}`;
        const value = inputOf(input, code);
        const isWrong =
          invalid && !readNumberInRange(itemRange(question.settings), normalizeNumber(value)).ok;
        return (
          <div key={code} class="item">
            {image !== null && <img src={image} alt="" loading="lazy" referrerPolicy="no-referrer" />}
            <label class="label" for={itemId} {...session.languageOf(texts.has(String(code), 'options'))}>
              {label}
            </label>
            <span class="affixed">
              {labels.prefix !== null && (
                <span id={`${itemId}-prefix`} {...session.languageOf(texts.has('prefix'))}>
                  {labels.prefix}
                </span>
              )}
              <input
                id={itemId}
                class="field"
                type="text"
                inputMode={decimals === 0 ? 'numeric' : 'decimal'}
                autocomplete="off"
                dir="ltr"
                value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
                placeholder={placeholder ?? '0'}
                aria-describedby={[
                  labels.prefix === null ? [] : `${itemId}-prefix`,
                  labels.suffix === null ? [] : `${itemId}-suffix`,
                  invalid ? (describedBy ?? []) : [],
                  totalId,
                ]
                  .flat()
                  .join(' ')}
                aria-invalid={isWrong}
                onInput={(event) =>
                  onInput({ ...(isRecord(input) ? input : {}), [String(code)]: event.currentTarget.value })
                }
              />
              {labels.suffix !== null && (
                <span id={`${itemId}-suffix`} {...session.languageOf(texts.has('suffix'))}>
                  {labels.suffix}
                </span>
              )}
            </span>
          </div>
        );
      })}
      <div class="total">
        <div class="sum-bar" style={{ '--share': String(Math.min(1, Math.max(0, sum / total))) }} />
        <p id={totalId} role="status">
          <span class="sum">
            {fillPlaceholders(messages.sum_total, {
              n: `${labels.prefix ?? ''}${sum}`,
              m: withUnit(labels, total),
            })}
          </span>
          {left !== 0 && (
            <span class="left">
              {fillPlaceholders(left > 0 ? messages.sum_left : messages.sum_over, {
                n: withUnit(labels, Math.abs(left)),
              })}
            </span>
          )}
        </p>
      </div>
    </div>
  );
}

export const constantSumField: FieldModuleOf<'constant_sum'> = {
  ...PLAIN_FIELD,
  Field: ConstantSumField,
  hint({ question, labels }, messages) {
    const { total, total_rule: rule, min, max } = question.settings;
    const sum = fillPlaceholders(rule === 'equal' ? messages.sum_hint : messages.sum_hint_max, {
      n: withUnit(labels, total),
    });
    if (min === 0 && max === null) return sum;
    const range = { n: withUnit(labels, min), m: withUnit(labels, max ?? total) };
    return `${sum} ${fillPlaceholders(messages.sum_each, range)}`;
  },
  toAnswer: (_question, input) =>
    isRecord(input)
      ? Object.fromEntries(Object.entries(input).map(([code, value]) => [code, normalizeNumber(value)]))
      : null,
  problem(question, answer, messages) {
    const amounts: Record<string, number> = {};
    for (const { code } of question.options) {
      const input = inputOf(answer, code);
      const result = readNumberInRange(itemRange(question.settings), input);
      if (!result.ok) return itemProblem(question, input, messages);
      amounts[String(code)] = (result.answer ?? 0) as number;
    }
    const sum = wrongSum(question, amounts);
    if (sum !== null) {
      const { total, total_rule: rule } = question.settings;
      const message = rule === 'equal' ? messages.sum_wrong : messages.sum_max;
      return fillPlaceholders(message, { n: total, m: sum });
    }
    return itemProblem(question, 0, messages);
  },
};

/** Returns the message of a number that an item does not accept. */
const itemProblem = ({ settings }: SumQuestion, value: unknown, messages: Messages): string | null =>
  numberProblem(itemRange(settings), value, messages);
