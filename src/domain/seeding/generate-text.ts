import { countCharacters } from '../answers/typed-text.ts';
import type { QuestionWithType } from '../survey/definition.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SyntheticRespondent } from './synthetic-respondent.ts';
import type { QuestionProfile } from './question-profile.ts';
import { sampleTexts } from './sample-texts.ts';

/** Shorter limits do not fit a sentence. */
const MIN_SENTENCE_CHARACTERS = 40;
const FIRST_NAMES = ['anna', 'ben', 'chidi', 'dara', 'elif', 'farid', 'grace', 'hugo', 'ines', 'jun'];
const LAST_NAMES = ['adams', 'bauer', 'costa', 'dubois', 'evans', 'garcia', 'kim', 'novak', 'okoye', 'silva'];

/** Generates a text in the question's format. Addresses use example.org, phone numbers the US range reserved for fiction. */
export function generateText(
  { settings }: QuestionWithType<'text'>,
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): string | null {
  const { random: chance } = respondent;
  switch (settings.format) {
    case 'email':
      return `${generateName(chance)}${chance.integer(1_000)}@example.org`;
    case 'url':
      return `https://example.org/${generateName(chance)}`;
    case 'phone':
      return `+1 202 555 01${String(chance.integer(100)).padStart(2, '0')}`;
    case 'regex':
      return settings.pattern === null ? generateOpinion(settings, respondent) : profile.example(chance.next);
    case 'none':
      return generateOpinion(settings, respondent);
  }
}

const generateName = (chance: SeededRandom): string =>
  `${chance.pick(FIRST_NAMES)}.${chance.pick(LAST_NAMES)}`;

/** Generates an opinion matching the respondent's attitude, within the length limits. */
function generateOpinion(
  settings: QuestionWithType<'text'>['settings'],
  { random: chance, attitude, language }: SyntheticRespondent,
): string {
  const { min_length: least, max_length: most, multiline } = settings;
  const { words, negative: unhappy, neutral, positive: happy } = sampleTexts(language);
  if (most < MIN_SENTENCE_CHARACTERS)
    return fitLength([chance.pick(words)], () => chance.pick(words), least, most);
  const mood = attitude + 0.7 * chance.normal();
  const tone = mood < -0.6 ? unhappy : mood > 0.3 ? happy : neutral;
  const any = [...unhappy, ...neutral, ...happy];
  const sentences = multiline
    ? chance.shuffleWeighted(tone, () => 1).slice(0, 1 + chance.integer(3))
    : [chance.pick(tone)];
  return fitLength(sentences, () => chance.pick(any), least, most);
}

function fitLength(parts: string[], more: () => string, least: number | null, most: number): string {
  const text = [...parts];
  while (countCharacters(text.join(' ')) < (least ?? 0)) text.push(more());
  while (text.length > 1 && countCharacters(text.join(' ')) > most) text.pop();
  const joined = text.join(' ');
  return countCharacters(joined) < (least ?? 0)
    ? // Little room between minimum and maximum: pads and cuts.
      [...`${joined} ${more().repeat(most)}`]
        .slice(0, most)
        .join('')
        .trim()
        .padEnd(least ?? 0, '.')
    : [...joined].slice(0, most).join('').trim();
}
