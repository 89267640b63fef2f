import type { QualitySettings } from '../survey/settings/quality-settings.ts';
import { keyboardRunShare } from './keyboard-runs.ts';
import type { QualityFlag } from './quality-flag.ts';
import {
  mostFrequentLetterShare,
  foldText,
  extractLetters,
  textWeight,
  countUnitRepeats,
} from './text-shape.ts';

type OpenEndSettings = QualitySettings['open_end'];

/** With fewer letters, a repetition can be a coincidence. */
const MIN_LETTERS_REPEATED = 3;
const MIN_LETTERS_SAME = 6;

/**
 * Flags one open answer: too short, and the strongest sign of gibberish. `maxLength` is the limit of its question. Digits are never
 * gibberish: 100000 can be a real answer.
 */
export function findOpenEndFlags(
  text: string,
  { columnCode, maxLength }: { columnCode: string; maxLength: number },
  settings: OpenEndSettings,
): QualityFlag[] {
  const flag = (
    metric: string,
    value: number,
    threshold: number,
    severity: QualityFlag['severity'],
  ): QualityFlag => {
    return { check: 'open_end', severity, metric, value, threshold, column_codes: [columnCode] };
  };
  const weight = textWeight(text);
  if (weight === 0 && settings.gibberish) return [flag('letters_and_digits', 0, 1, 'low')];
  const flags: QualityFlag[] = [];
  const shortest = Math.min(settings.min_length, maxLength);
  if (weight < shortest) flags.push(flag('length', weight, shortest, 'low'));
  if (!settings.gibberish) return flags;
  const letters = extractLetters(text);
  const keyboard = keyboardRunShare(letters);
  const repeats = letters.length < MIN_LETTERS_REPEATED ? 1 : countUnitRepeats(letters);
  const letterShare = letters.length < MIN_LETTERS_SAME ? 0 : mostFrequentLetterShare(letters);
  if (keyboard >= settings.max_keyboard_share) {
    flags.push(flag('keyboard_share', keyboard, settings.max_keyboard_share, 'high'));
  } else if (repeats >= settings.min_repeats) {
    flags.push(flag('repeats', repeats, settings.min_repeats, 'medium'));
  } else if (letterShare >= settings.max_letter_share) {
    flags.push(flag('letter_share', letterShare, settings.max_letter_share, 'medium'));
  }
  return flags;
}

/** Flags the same text in all open answers of a respondent. `given` are the answers with a text. */
export function findRepeatedTextFlag(
  openAnswers: readonly { columnCode: string; text: string }[],
  settings: OpenEndSettings,
): QualityFlag | null {
  const [first, ...others] = openAnswers;
  if (first === undefined || openAnswers.length < settings.min_identical) return null;
  const text = foldText(first.text);
  if (text === '' || others.some((other) => foldText(other.text) !== text)) return null;
  return {
    check: 'open_end',
    severity: 'medium',
    metric: 'identical_answers',
    value: openAnswers.length,
    threshold: settings.min_identical,
    column_codes: openAnswers.map(({ columnCode }) => columnCode),
  };
}
