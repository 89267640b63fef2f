import { isRecord } from '../../../../domain/questions/answers/read-answer.ts';
import {
  addUp,
  itemRange,
  wrongSum,
  constantSumAnswers,
} from '../../../../domain/questions/types/constant-sum.ts';
import { readNumberInput, readNumberInRange } from '../../../../domain/questions/types/numeric-answers.ts';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders, formatNumber, type Messages } from '../localization.ts';
import { Formatted } from '../formatted.tsx';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';
import { NumberInput, numberProblem, toNumberAnswer } from './number-input.tsx';

type SumQuestion = QuestionWithType<'constant_sum'>;

/** While typing, sums show at least these decimals, so that 12.5 is visible where whole numbers are asked. */
const SHOWN_DECIMALS = 2;

const inputOf = (input: unknown, code: number): unknown =>
  isRecord(input) && Object.hasOwn(input, String(code)) ? input[String(code)] : undefined;

type Labels = FieldProps<SumQuestion>['view']['labels'];

/** Adds the unit of a question to a number: `$40`, `40%`, `40 points`. */
function withUnit({ prefix, suffix }: Labels, value: number, messages: Messages): string {
  const space = suffix !== null && /^[\p{L}\p{Sc}]/u.test(suffix) ? '\u00a0' : '';
  return `${prefix ?? ''}${formatNumber(messages, value)}${space}${suffix ?? ''}`;
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
  const range = itemRange(question.settings);
  const typed = options.map(({ code }) => {
    const reading = readNumberInput(
      { ...range, prefix: labels.prefix, suffix: labels.suffix },
      inputOf(input, code),
    );
    return reading.kind === 'number' ? reading.value : 0;
  });
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
        const isWrong = invalid && !readNumberInRange(range, toNumberAnswer(range, value)).ok;
        return (
          <div key={code} class="item">
            {image !== null && <img src={image} alt="" loading="lazy" referrerPolicy="no-referrer" />}
            <label class="label" for={itemId} {...session.languageOf(texts.has(String(code), 'options'))}>
              <Formatted text={label} nodes={view.formatted.get(`options.${code}`)} messages={messages} />
            </label>
            <NumberInput
              id={itemId}
              range={range}
              labels={labels}
              prefixLanguage={session.languageOf(texts.has('prefix'))}
              suffixLanguage={session.languageOf(texts.has('suffix'))}
              placeholder={placeholder ?? '0'}
              dir="ltr"
              value={value}
              onInput={(next) => onInput({ ...(isRecord(input) ? input : {}), [String(code)]: next })}
              messages={messages}
              describedBy={[invalid ? (describedBy ?? []) : [], totalId].flat()}
              invalid={isWrong}
              required={false}
            />
          </div>
        );
      })}
      <div class="total">
        <div class="sum-bar" style={{ '--share': String(Math.min(1, Math.max(0, sum / total))) }} />
        <p id={totalId} role="status">
          <span class="sum">
            {fillPlaceholders(messages.sum_total, {
              n: `${labels.prefix ?? ''}${formatNumber(messages, sum)}`,
              m: withUnit(labels, total, messages),
            })}
          </span>
          {left !== 0 && (
            <span class="left">
              {fillPlaceholders(left > 0 ? messages.sum_left : messages.sum_over, {
                n: withUnit(labels, Math.abs(left), messages),
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
  answers: constantSumAnswers,
  Field: ConstantSumField,
  hint({ question, labels }, messages) {
    const { total, total_rule: rule, min, max } = question.settings;
    const sum = fillPlaceholders(rule === 'equal' ? messages.sum_hint : messages.sum_hint_max, {
      n: withUnit(labels, total, messages),
    });
    if (min === 0 && max === null) return sum;
    const range = {
      n: withUnit(labels, min, messages),
      m: withUnit(labels, max ?? total, messages),
    };
    return `${sum} ${fillPlaceholders(messages.sum_each, range)}`;
  },
  toAnswer({ settings }, input) {
    if (!isRecord(input)) return null;
    const range = itemRange(settings);
    return Object.fromEntries(
      Object.entries(input).map(([code, value]) => [code, toNumberAnswer(range, value)]),
    );
  },
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
      return fillPlaceholders(message, {
        n: formatNumber(messages, total),
        m: formatNumber(messages, sum),
      });
    }
    return itemProblem(question, 0, messages);
  },
};

/** Returns the message of a number that an item does not accept. */
const itemProblem = ({ settings }: SumQuestion, value: unknown, messages: Messages): string | null =>
  numberProblem(itemRange(settings), value, messages);
