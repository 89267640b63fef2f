import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countUnitRepeats,
  extractLetters,
  findOpenEndFlags,
  findRepeatedTextFlag,
  foldText,
  keyboardRunShare,
  mostFrequentLetterShare,
  SharedTexts,
  textWeight,
} from '../../../../src/domain/quality/open-end.ts';
import { qualitySettingsOf } from '../../../../src/domain/survey/quality-settings.ts';

const settings = (changes: object = {}) => qualitySettingsOf({ open_end: changes }).open_end;
const metricsOf = (text: string, changes: object = {}, maxLength = 2_000) =>
  findOpenEndFlags(text, { columnCode: 'T', maxLength }, settings(changes)).map(({ metric }) => metric);

describe('the weighted length of a text', () => {
  it.each([
    ['ok', 2],
    ['Да!', 2],
    ['好', 3],
    ['不错', 6],
    ['네', 2],
    ['はい', 4],
    ['42', 2],
    ['é', 1],
    ['e\u0301', 1],
    ['สวย', 3],
    ['…?!', 0],
    ['👍👍', 0],
    ['  ', 0],
  ])('of %j is %i letters', (text, weight) => expect(textWeight(text)).toBe(weight));
});

describe('an open answer without a flag', () => {
  it.each([
    // Latin
    'Too expensive for what it is',
    'yes',
    'Wert',
    'property',
    'Liberty, and poverty too',
    'banana',
    'Mississippi',
    'Mama und Papa',
    'čtvrť, skrz, vlk',
    'I like it!!!!!!!!!!',
    // Cyrillic
    'Слишком дорого',
    'Напролом',
    'запрос Смита',
    'нет',
    // Chinese, Japanese, Korean
    '好',
    '不错',
    '很好',
    'とても良い',
    '가격이 비싸요',
    // Arabic, Hebrew, Greek, Hindi, Thai
    'السعر مرتفع',
    'יקר מדי',
    'Πολύ ακριβό',
    'बहुत महंगा',
    'แพงเกินไป',
    // numbers
    '100000',
    '2026-01-02',
  ])('%s', (text) => expect(metricsOf(text)).toEqual([]));
});

describe('a gibberish answer', () => {
  it.each([
    ['ok', 'length'],
    ['A', 'length'],
    ['да', 'length'],
    ['네', 'length'],
    ['...', 'letters_and_digits'],
    ['???!', 'letters_and_digits'],
    ['👍', 'letters_and_digits'],
    ['-', 'letters_and_digits'],
    ['aaaaaa', 'repeats'],
    ['ааааа', 'repeats'],
    ['好好好', 'repeats'],
    ['ㅋㅋㅋㅋ', 'repeats'],
    ['AsdAsdAsd', 'repeats'],
    ['bla bla bla', 'repeats'],
    ['xxxxxxxxyx', 'letter_share'],
    ['asdf', 'keyboard_share'],
    ['asdfgh jkl', 'keyboard_share'],
    ['QWERTY', 'keyboard_share'],
    ['qwertz', 'keyboard_share'],
    ['lkjhgf', 'keyboard_share'],
    ['qsdf qsdf', 'keyboard_share'],
    ['йцукен', 'keyboard_share'],
    ['фыва', 'keyboard_share'],
    ['ролджэ', 'keyboard_share'],
    ['ασδφγη', 'keyboard_share'],
    ['ｑｗｅｒｔｙ', 'keyboard_share'],
  ])('%s: %s', (text, metric) => expect(metricsOf(text)).toEqual([metric]));

  it('reports the metric, the column and the threshold', () => {
    expect(findOpenEndFlags('asdfgh', { columnCode: 'Q7', maxLength: 100 }, settings())).toEqual([
      {
        check: 'open_end',
        severity: 'high',
        metric: 'keyboard_share',
        value: 1,
        threshold: 0.75,
        column_codes: ['Q7'],
      },
    ]);
  });

  it("is too short by the settings, but never below the question's limit", () => {
    expect(metricsOf('good', { min_length: 10 })).toEqual(['length']);
    expect(metricsOf('非常好吃', { min_length: 10 })).toEqual([]);
    expect(metricsOf('XY', { min_length: 10 }, 2)).toEqual([]);
    expect(metricsOf('a', { min_length: 0 })).toEqual([]);
  });

  it('is not flagged if the check is off', () => {
    for (const text of ['asdfgh', 'aaaaaa', 'xxxxxxxxyx']) {
      expect(metricsOf(text, { gibberish: false })).toEqual([]);
    }
    expect(metricsOf('...', { gibberish: false })).toEqual(['length']);
    expect(metricsOf('hahaha', { min_repeats: 4 })).toEqual([]);
    expect(metricsOf('asdfgh!! nice', { max_keyboard_share: 0.6 })).toEqual(['keyboard_share']);
    expect(metricsOf('asdfgh!! nice')).toEqual([]);
  });

  it('is checked fast at any length', () => {
    const started = performance.now();
    metricsOf('ab'.repeat(10_000));
    metricsOf('a'.repeat(20_000) + 'b');
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('any text', () => {
  it('has shares between 0 and 1, and only one flag if it has no letters or digits', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'asdfghjkl фыва') }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const letters = extractLetters(text);
        for (const value of [keyboardRunShare(letters), mostFrequentLetterShare(letters)]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
        expect(metricsOf(text).includes('letters_and_digits')).toBe(textWeight(text) === 0);
      }),
    );
  });
});

describe('letter and repetition metrics', () => {
  it.each([
    ['a', 1],
    ['abab', 2],
    ['ababa', 2],
    ['abcabcabca', 3],
    ['abcd', 1],
    ['abcdeabcde', 1],
    ['', 1],
  ])('of %j: %i', (text, repeats) => expect(countUnitRepeats(extractLetters(text))).toBe(repeats));

  it('counts a run only along one row and in one direction', () => {
    const share = (text: string) => keyboardRunShare(extractLetters(text));
    expect(share('asdfdsa')).toBe(1);
    expect(share('asdfqdsa')).toBe(0.5);
    expect(share('asdf')).toBe(1);
    expect(share('fdsa')).toBe(1);
    expect(share('qwer')).toBe(0);
    expect(share('qaz')).toBe(0);
    expect(share('')).toBe(0);
  });
});

describe('the same text from many respondents', () => {
  const shared = (texts: string[], changes: object = {}) => {
    const counted = new SharedTexts('T', settings(changes));
    for (const text of texts) counted.add(text);
    counted.finish();
    return counted;
  };
  const LONG = 'I think this product is simply wonderful';
  const others = Array.from({ length: 17 }, (_, index) => `An honest opinion of my own, number ${index}`);

  it('is flagged if it is long and frequent, regardless of spaces and case', () => {
    const counted = shared([LONG, `${LONG.toUpperCase()}!`, `  ${LONG.replace(' ', '  ')}`, ...others]);
    expect(counted.createFlag(LONG)).toMatchObject({
      metric: 'shared_share',
      value: 3 / 20,
      threshold: 0.05,
      column_codes: ['T'],
      measures: { respondents: 3 },
    });
    expect(counted.createFlag(others[0]!)).toBeNull();
  });

  it.each([
    ['it is short', ['None', 'None', 'None', 'None', ...others], {}, 'None'],
    ['only two respondents share it', [LONG, LONG, ...others], {}, LONG],
    ['the share allows it', [LONG, LONG, LONG, ...others], { max_shared_share: 0.15 }, LONG],
  ])('is not flagged if %s', (_why, texts, changes, text) => {
    expect(shared(texts, changes).createFlag(text)).toBeNull();
  });

  it('counts an ideograph as the letters it replaces', () => {
    const text = '这个产品真的非常好用';
    expect(shared([text, text, text, ...others]).createFlag(text)).not.toBeNull();
  });

  it('is compared without case, width, spaces and outer punctuation', () => {
    expect(foldText('  "Yes,\n it IS."  ')).toBe('yes, it is');
    expect(foldText('ＯＫ！')).toBe('ok');
    expect(foldText('?!')).toBe('');
  });
});

describe('the same text in every question', () => {
  const given = (...texts: string[]) => texts.map((text, index) => ({ columnCode: `T${index + 1}`, text }));

  it('is flagged once for all given open answers', () => {
    expect(findRepeatedTextFlag(given('No idea', 'no idea.', 'NO IDEA'), settings())).toEqual({
      check: 'open_end',
      severity: 'medium',
      metric: 'identical_answers',
      value: 3,
      threshold: 2,
      column_codes: ['T1', 'T2', 'T3'],
    });
  });

  it.each([
    ['a single answer', given('No idea')],
    ['nothing', []],
    ['a different answer among them', given('No idea', 'No idea', 'Blue')],
    ['punctuation only', given('-', '?')],
  ])('is not flagged for %s', (_what, answers) =>
    expect(findRepeatedTextFlag(answers, settings())).toBeNull(),
  );

  it('depends on the minimum number of answers', () => {
    expect(findRepeatedTextFlag(given('No', 'No'), settings({ min_identical: 3 }))).toBeNull();
  });
});
