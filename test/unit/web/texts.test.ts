import { describe, expect, it } from 'vitest';
import { TRANSFORMS } from '../../../src/domain/transforms/registry.ts';
import { texts as dashboard } from '../../../src/web/dashboard/texts.ts';
import { ar } from '../../../src/web/respondent/locales/ar.ts';
import { de } from '../../../src/web/respondent/locales/de.ts';
import { en } from '../../../src/web/respondent/locales/en.ts';
import { es } from '../../../src/web/respondent/locales/es.ts';
import { fr } from '../../../src/web/respondent/locales/fr.ts';
import { pt } from '../../../src/web/respondent/locales/pt.ts';
import * as components from '../../../src/web/shared/client/texts.ts';
import { topBarTexts } from '../../../src/web/shared/areas.ts';
import { texts as studio } from '../../../src/web/studio/texts.ts';
import { lookTexts } from '../../../src/web/studio/texts/look.ts';
import { settingsTexts } from '../../../src/web/studio/texts/settings.ts';
import { privacyTexts, surveySettingsTexts } from '../../../src/web/studio/texts/survey-settings.ts';

/** Code that people copy, and names of form fields. */
const CODE = /\.(signatures\.example|collect\.panelAddress|nameField)$/;

/** Calls a text with numbers, or with words where numbers do not fit. */
function fillText(text: (...values: never[]) => unknown, count: number): string[] {
  const words = Array.from({ length: 4 }, () => 'Tea');
  const numbers = Array.from({ length: 4 }, () => count);
  const filled = [words, numbers].flatMap((values) => {
    try {
      const filled = String(text(...(values as never[])));
      return filled.includes('NaN') ? [] : [filled];
    } catch (error) {
      if (error instanceof TypeError) return [];
      throw error;
    }
  });
  return filled.length > 0 ? filled : [String(text(['Tea', 'Milk'] as never))];
}

function* readTexts(value: unknown, path: string, count: number): Generator<[path: string, text: string]> {
  if (CODE.test(path)) return;
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'function')
    for (const text of fillText(value as () => unknown, count)) yield [path, text];
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) yield* readTexts(each, `${path}.${name}`, count);
}

const surveySettings = { ...surveySettingsTexts, privacy: privacyTexts };
const ENGLISH = {
  look: lookTexts,
  studio,
  settings: settingsTexts,
  surveySettings,
  components,
  topBar: topBarTexts,
  dashboard,
};
const LOCALES = { en, de, fr, es, pt, ar };

/** The texts that match, with their places. */
const found = (catalogue: object, pattern: RegExp, count = 2): string[] =>
  [...readTexts(catalogue, '', count)]
    .map(([path, text]): [string, string] => [path.slice(1), text.replaceAll(/\{\{\w+\}\}/g, 'Tea')])
    .filter(([, text]) => pattern.test(text))
    .map(([path, text]) => `${path}: ${text}`);

describe('texts that people see', () => {
  it('are read from all catalogues', () => {
    expect([...readTexts(ENGLISH, '', 2)].length).toBeGreaterThan(1_000);
  });

  it.each([
    ['name no fields of the database', /[a-z]_[a-z]/],
    ['name no settings of the server', /[A-Z]_[A-Z]/],
    ['name no endpoints', /\/api\/|\b(GET|POST|PATCH|DELETE) /],
    ['have one space between words', /\S {2,}\S/],
    ['begin and end without a space', /^ (?!·)| $/],
    ['have no value that is missing', /undefined|null|\[object/],
    ['say what an empty field means in a sentence', /\bEmpty: /],
    [
      'are in American English',
      /\b(cancelled|colou?rs?(?<=our|ours)|organis|analysed\b|behaviour|favourite)/i,
    ],
    ['do not call the ID of something an id', /\bids?\b/],
  ])('%s', (_rule, pattern) => {
    expect(found(ENGLISH, pattern)).toEqual([]);
  });

  it.each([
    ['have no space before a comma or a period', / [,.](?!\w)/],
    ['have no double punctuation', /[.,;:!?]{2,}|…[.,;:]/],
  ])('%s, in all languages', (_rule, pattern) => {
    expect([...found(ENGLISH, pattern), ...found(LOCALES, pattern)]).toEqual([]);
  });

  it('use the singular for one', () => {
    const nouns =
      'answers|charts|changes|characters|columns|credits|emails|invitations|members|minutes|options|pages|people|questions|responses|rows|slides|surveys|texts|users|values';
    expect(found(ENGLISH, new RegExp(String.raw`(?<![\d.,])\b1 (\w+ )?(${nouns})\b`), 1)).toEqual([]);
  });
});

it.each(TRANSFORMS.map(({ kind }) => kind))('the change log names %s in words', (kind) => {
  expect(studio.responses.changes.operations).toHaveProperty(kind);
});
