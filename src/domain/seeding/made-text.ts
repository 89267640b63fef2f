import { lengthOf } from '../answers/typed-text.ts';
import type { QuestionWithType } from '../survey/definition.ts';
import type { Chance } from './chance.ts';
import type { Person } from './person.ts';
import type { QuestionHabit } from './question-habit.ts';
import { sampleTexts } from './sample-texts.ts';

/** Where not even a short sentence fits. */
const SHORT = 40;
const FIRST_NAMES = ['anna', 'ben', 'chidi', 'dara', 'elif', 'farid', 'grace', 'hugo', 'ines', 'jun'];
const LAST_NAMES = ['adams', 'bauer', 'costa', 'dubois', 'evans', 'garcia', 'kim', 'novak', 'okoye', 'silva'];

/** Addresses and numbers that belong to nobody: example.org, and the American numbers reserved for fiction. */
export function madeText(
  { settings }: QuestionWithType<'text'>,
  habit: QuestionHabit,
  person: Person,
): string | null {
  const { chance } = person;
  switch (settings.format) {
    case 'email':
      return `${nameOf(chance)}${chance.whole(1_000)}@example.org`;
    case 'url':
      return `https://example.org/${nameOf(chance)}`;
    case 'phone':
      return `+1 202 555 01${String(chance.whole(100)).padStart(2, '0')}`;
    case 'regex':
      return settings.pattern === null ? opinion(settings, person) : habit.example(chance.next);
    case 'none':
      return opinion(settings, person);
  }
}

const nameOf = (chance: Chance): string => `${chance.pick(FIRST_NAMES)}.${chance.pick(LAST_NAMES)}`;

/** As friendly as the person is; as long as it must and may be. */
function opinion(
  settings: QuestionWithType<'text'>['settings'],
  { chance, attitude, language }: Person,
): string {
  const { min_length: least, max_length: most, multiline } = settings;
  const { words, unhappy, neutral, happy } = sampleTexts(language);
  if (most < SHORT) return filled([chance.pick(words)], () => chance.pick(words), least, most);
  const mood = attitude + 0.7 * chance.normal();
  const tone = mood < -0.6 ? unhappy : mood > 0.3 ? happy : neutral;
  const any = [...unhappy, ...neutral, ...happy];
  const sentences = multiline
    ? chance.ordered(tone, () => 1).slice(0, 1 + chance.whole(3))
    : [chance.pick(tone)];
  return filled(sentences, () => chance.pick(any), least, most);
}

function filled(parts: string[], more: () => string, least: number | null, most: number): string {
  const text = [...parts];
  while (lengthOf(text.join(' ')) < (least ?? 0)) text.push(more());
  while (text.length > 1 && lengthOf(text.join(' ')) > most) text.pop();
  const joined = text.join(' ');
  return lengthOf(joined) < (least ?? 0)
    ? // Only a narrow margin between least and most is left.
      [...`${joined} ${more().repeat(most)}`]
        .slice(0, most)
        .join('')
        .trim()
        .padEnd(least ?? 0, '.')
    : [...joined].slice(0, most).join('').trim();
}
