import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type NumberRange, readNumberInput } from '../../../../domain/questions/types/numeric-answers.ts';
import { fillPlaceholders, formatNumber, type Messages, type TextLanguage } from '../localization.ts';

interface NumberInputProps {
  id: string;
  /** The accepted numbers; without the affixes, which are in the language of the page. */
  range: NumberRange;
  labels: { prefix: string | null; suffix: string | null };
  prefixLanguage: TextLanguage;
  suffixLanguage: TextLanguage;
  placeholder: string | undefined;
  /** A number, or a text as typed. */
  value: unknown;
  onInput: (value: unknown) => void;
  messages: Messages;
  /** Ids of the descriptions besides the affixes. */
  describedBy: readonly string[];
  invalid: boolean;
  required: boolean;
  dir: 'auto' | 'ltr' | undefined;
}

/**
 * A text field for a number, with its prefix and suffix. Number inputs of browsers discard texts that they do not understand, and the mouse
 * wheel changes their value. If the entry is ambiguous, the page asks which number is meant as soon as the field is left.
 */
export function NumberInput(props: NumberInputProps) {
  const { id, labels, value, onInput, messages, invalid } = props;
  const input = useRef<HTMLInputElement>(null);
  const [isTyping, setIsTyping] = useState(false);
  const [isChosen, setIsChosen] = useState(false);
  const range = { ...props.range, prefix: labels.prefix, suffix: labels.suffix };
  const reading = readNumberInput(range, value);
  const choices = reading.kind === 'ambiguous' && (invalid || !isTyping) ? reading.readings : null;
  // The chosen button disappears, so the focus moves to the field, which has the chosen number.
  useLayoutEffect(() => {
    if (!isChosen) return;
    setIsChosen(false);
    input.current?.focus();
  }, [isChosen]);
  const affixIds = [
    labels.prefix === null ? [] : `${id}-prefix`,
    labels.suffix === null ? [] : `${id}-suffix`,
  ].flat();
  const describedBy = [...affixIds, ...props.describedBy, choices === null ? [] : `${id}-question`].flat();
  const shown = (number: number) => formatNumber(messages, number, { useGrouping: true });
  return (
    <>
      <span class="affixed">
        {labels.prefix !== null && (
          <span id={`${id}-prefix`} {...props.prefixLanguage}>
            {labels.prefix}
          </span>
        )}
        <input
          ref={input}
          id={id}
          class="field"
          type="text"
          inputMode={keyboardOf(range)}
          autocomplete="off"
          value={
            typeof value === 'number' ? formatNumber(messages, value) : typeof value === 'string' ? value : ''
          }
          placeholder={props.placeholder}
          dir={props.dir}
          aria-describedby={describedBy.join(' ') || undefined}
          aria-invalid={invalid}
          aria-required={props.required ? true : undefined}
          onInput={(event) => {
            setIsTyping(true);
            onInput(event.currentTarget.value);
          }}
          onChange={() => {
            setIsTyping(false);
            // A translated affix is known here only.
            const isReadAnyway = readNumberInput(props.range, value).kind === 'number';
            if (typeof value === 'string' && reading.kind === 'number' && !isReadAnyway)
              onInput(reading.value);
          }}
        />
        {labels.suffix !== null && (
          <span id={`${id}-suffix`} {...props.suffixLanguage}>
            {labels.suffix}
          </span>
        )}
      </span>
      <div
        class={choices === null ? 'number-choice unused' : 'number-choice'}
        {...(choices === null ? {} : ({ role: 'group', 'aria-labelledby': `${id}-question` } as const))}
      >
        <p id={`${id}-question`} aria-live="polite">
          {choices !== null &&
            fillPlaceholders(messages.number_ambiguous, {
              n: shown(choices[0].value),
              m: shown(choices[1].value),
            })}
        </p>
        {choices?.map((choice) => (
          <button
            key={choice.text}
            type="button"
            class="button"
            onClick={() => {
              onInput(choice.value);
              setIsChosen(true);
            }}
          >
            <bdi dir="ltr">{shown(choice.value)}</bdi>
          </button>
        ))}
      </div>
    </>
  );
}

/** Numeric keyboards have no minus on some phones, so a question that names numbers below 0 has the one for texts. */
function keyboardOf({ min, decimals }: NumberRange): 'numeric' | 'decimal' | 'text' {
  if (min !== null && min < 0) return 'text';
  return decimals === 0 ? 'numeric' : 'decimal';
}

/** Returns the message of a number that a question does not accept. */
export function numberProblem(range: NumberRange, answer: unknown, messages: Messages): string | null {
  const { min, max, step, decimals } = range;
  const shown = (number: number) => formatNumber(messages, number);
  const reading = readNumberInput(range, answer);
  if (reading.kind === 'ambiguous') return messages.number_choose;
  const needsFewerDecimals =
    reading.kind === 'number'
      ? decimals !== null && Number(reading.value.toFixed(decimals)) !== reading.value
      : reading.reason === 'decimals';
  if (needsFewerDecimals && decimals !== null) {
    return decimals === 0 ? messages.whole_wrong : fillPlaceholders(messages.decimals_wrong, { n: decimals });
  }
  if (reading.kind !== 'number') return messages.number_wrong;
  const { value } = reading;
  if (min !== null && max !== null && (value < min || value > max)) {
    return fillPlaceholders(messages.number_range, { n: shown(min), m: shown(max) });
  }
  if (min !== null && value < min) return fillPlaceholders(messages.number_min, { n: shown(min) });
  if (max !== null && value > max) return fillPlaceholders(messages.number_max, { n: shown(max) });
  return step === null ? null : fillPlaceholders(messages.step_wrong, { n: shown(step) });
}

/** Converts an input to the number that it means. An input that is ambiguous or no number stays as typed, so that it is refused. */
export function toNumberAnswer(range: NumberRange, input: unknown): unknown {
  if (typeof input !== 'string') return input ?? null;
  const reading = readNumberInput(range, input);
  if (reading.kind === 'number') return reading.value;
  return reading.kind === 'not_a_number' && reading.reason === 'empty' ? null : input;
}
