import type { OtherChoice } from './answers/codec.ts';
import type { Option } from './question.ts';
import { SeededRandom } from '../../lib/seeded-random.ts';

const OTHER_TEXT_PROBABILITY = 0.8;
const EXCLUSIVE_PROBABILITY = 0.07;

type Choice = string | OtherChoice;

function optionProfileOf({ options }: QuestionProfile, { code }: Option): OptionProfile {
  const profile = options.get(code);
  if (profile === undefined) throw new Error(`The profile of the question has no option ${code}`);
  return profile;
}

/** Relative frequency of an option among respondents with this attitude. */
export const optionWeight =
  (profile: QuestionProfile, { attitude }: SyntheticRespondent) =>
  (option: Option): number => {
    const { weight, tilt } = optionProfileOf(profile, option);
    return weight * Math.exp(tilt * attitude);
  };

/** Adds a text to most choices of an option that asks for one. */
export function withOtherText(option: Option, respondent: SyntheticRespondent): Choice {
  if (!option.other || !respondent.random.isTrue(OTHER_TEXT_PROBABILITY)) return option.value;
  return { value: option.value, other: respondent.random.pick(sampleTexts(respondent.language).words) };
}

/** Picks one of the offered options, weighted by the respondent's attitude; null if none is offered. */
export function generateChoice(
  offered: readonly Option[],
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): Choice | null {
  if (offered.length === 0) return null;
  return withOtherText(
    respondent.random.pickWeighted(offered, optionWeight(profile, respondent)),
    respondent,
  );
}

/** Picks `least` to `most` options, or an exclusive one. A question with an exclusive option never has none ticked. */
export function pickOptions(
  { offered, least, most }: { offered: readonly Option[]; least: number; most: number },
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): Option[] {
  const { random, attitude } = respondent;
  const exclusive = offered.filter((option) => option.exclusive);
  const together = offered.filter((option) => !option.exclusive);
  if (exclusive.length > 0 && (together.length === 0 || random.isTrue(EXCLUSIVE_PROBABILITY)))
    return [random.pick(exclusive)];
  const chosen = together.filter((option) => {
    const { logOdds, tilt } = optionProfileOf(profile, option);
    return random.isTrue(1 / (1 + Math.exp(-(logOdds + tilt * attitude))));
  });
  const minimum = Math.max(exclusive.length > 0 ? 1 : 0, least);
  if (chosen.length >= minimum && chosen.length <= most) return chosen;
  const inOrder = random.shuffleWeighted(together, optionWeight(profile, respondent));
  if (chosen.length < minimum) return [...new Set([...chosen, ...inOrder])].slice(0, minimum);
  return inOrder.filter((option) => chosen.includes(option)).slice(0, most);
}

/** Slope: how far one standard deviation moves along a scale. */
const SLOPE = 1.3;

/** Returns a 0-based point index on a scale of `count` points. The points of one respondent correlate by the loadings. */
function generatePointIndex(
  count: number,
  { center, loading }: Tendency,
  { random, attitude }: SyntheticRespondent,
): number {
  const latentValue = center + loading * attitude + Math.sqrt(1 - loading ** 2) * random.normal();
  return Math.min(count - 1, Math.floor(count / (1 + Math.exp(-SLOPE * latentValue))));
}

const DONT_KNOW_PROBABILITY = 0.03;

/** Picks one of the options of an ordered scale, rarely a "don't know" option; undefined if none is offered. */
export function generateScaleOption(
  offered: readonly Option[],
  tendency: Tendency,
  respondent: SyntheticRespondent,
): Option | undefined {
  const { random } = respondent;
  const unsure = offered.filter(({ missing }) => missing);
  const points = offered.filter(({ missing }) => !missing);
  const isUnsure = points.length === 0 || (unsure.length > 0 && random.isTrue(DONT_KNOW_PROBABILITY));
  return isUnsure
    ? unsure[random.integer(unsure.length)]
    : points[generatePointIndex(points.length, tendency, respondent)];
}

/** Generates a point of the scale: `min` plus a number of steps. */
export function generateScalePoint(
  { min, max, step }: { min: number; max: number; step: number },
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): number {
  const count = Math.floor((max - min) / step + 1e-9) + 1;
  return min + generatePointIndex(count, profile.tendency, respondent) * step;
}

/** A synthetic respondent. */
export interface SyntheticRespondent {
  random: SeededRandom;
  /** General attitude, standard normal; correlates the respondent's answers. */
  attitude: number;
  language: string;
}

const FIRST_LANGUAGE_PROBABILITY = 0.7;

/** The languages of a survey, the default first. */
export type SurveyLanguages = readonly [string, ...string[]];

/** Creates the same respondent for the same seed. */
export function createRespondent(seed: string, languages: SurveyLanguages): SyntheticRespondent {
  const chance = new SeededRandom(seed);
  const [first, ...others] = languages;
  const isFirst = others.length === 0 || chance.isTrue(FIRST_LANGUAGE_PROBABILITY);
  const language = isFirst ? first : chance.pick(others);
  return { random: chance, attitude: chance.normal(), language };
}

/** How respondents in general tend to answer. */
export interface Tendency {
  /** Mean, in standard deviations of the attitude. */
  center: number;
  /** Correlation of the answer with the attitude. */
  loading: number;
}

export interface OptionProfile {
  /** Relative frequency as a single choice. */
  weight: number;
  /** Log odds of being ticked in a multiple choice. */
  logOdds: number;
  /** Increase in log odds per unit of attitude. */
  tilt: number;
}

/** How respondents answer one question. */
export interface QuestionProfile {
  tendency: Tendency;
  /** Matrix only, by row code. */
  rows: ReadonlyMap<string, Tendency>;
  /** By option_code. */
  options: ReadonlyMap<number, OptionProfile>;
  /** Probability of skipping an optional question. */
  skipProbability: number;
  /** Generates a text that matches the question's pattern; null if unknown. */
  example: (random: () => number) => string | null;
}

/** Sample answers to text questions. */
interface SampleTexts {
  /** Short answers of one or two words. */
  words: readonly string[];
  negative: readonly string[];
  neutral: readonly string[];
  positive: readonly string[];
}

const ENGLISH: SampleTexts = {
  words: [
    'Price',
    'Quality',
    'Service',
    'Design',
    'Delivery',
    'Location',
    'Opening hours',
    'A friend',
    'Advertising',
  ],
  negative: [
    'It took far too long.',
    'Too expensive for what it is.',
    'Nobody answered my question.',
    'I had expected more.',
    'It stopped working after a week.',
    'The page was hard to use.',
  ],
  neutral: [
    'Nothing comes to mind.',
    'It was all right.',
    'I use it about once a week.',
    'A friend told me about it.',
    'Same as last year.',
    'It depends on the day.',
  ],
  positive: [
    'Very friendly staff.',
    'It works well for me.',
    'Good value for money.',
    'Easy to use and quick.',
    'I would recommend it to friends.',
    'Keep it as it is.',
  ],
};

const GERMAN: SampleTexts = {
  words: [
    'Preis',
    'Qualität',
    'Service',
    'Gestaltung',
    'Lieferung',
    'Lage',
    'Öffnungszeiten',
    'Freunde',
    'Werbung',
  ],
  negative: [
    'Es hat viel zu lange gedauert.',
    'Zu teuer für das, was es ist.',
    'Niemand hat meine Frage beantwortet.',
    'Ich hatte mehr erwartet.',
    'Die Seite war schwer zu bedienen.',
  ],
  neutral: [
    'Mir fällt nichts ein.',
    'Es war in Ordnung.',
    'Ich nutze es etwa einmal pro Woche.',
    'Eine Freundin hat mir davon erzählt.',
    'Wie im letzten Jahr.',
  ],
  positive: [
    'Sehr freundliches Personal.',
    'Für mich funktioniert es gut.',
    'Gutes Preis-Leistungs-Verhältnis.',
    'Einfach und schnell.',
    'Ich würde es weiterempfehlen.',
  ],
};

const FRENCH: SampleTexts = {
  words: [
    'Prix',
    'Qualité',
    'Service',
    'Design',
    'Livraison',
    'Emplacement',
    'Horaires',
    'Un ami',
    'Publicité',
  ],
  negative: [
    'C’était beaucoup trop long.',
    'Trop cher pour ce que c’est.',
    'Personne n’a répondu à ma question.',
    'Je m’attendais à mieux.',
    'Le site est difficile à utiliser.',
  ],
  neutral: [
    'Rien de particulier.',
    'C’était correct.',
    'Je l’utilise une fois par semaine.',
    'Une amie m’en a parlé.',
    'Comme l’année dernière.',
  ],
  positive: [
    'Personnel très aimable.',
    'Cela me convient bien.',
    'Bon rapport qualité-prix.',
    'Simple et rapide.',
    'Je le recommanderais à mes amis.',
  ],
};

const SPANISH: SampleTexts = {
  words: [
    'Precio',
    'Calidad',
    'Servicio',
    'Diseño',
    'Entrega',
    'Ubicación',
    'Horario',
    'Un amigo',
    'Publicidad',
  ],
  negative: [
    'Tardó demasiado.',
    'Demasiado caro para lo que es.',
    'Nadie respondió a mi pregunta.',
    'Esperaba algo más.',
    'La página es difícil de usar.',
  ],
  neutral: [
    'No se me ocurre nada.',
    'Estuvo bien, sin más.',
    'Lo uso una vez por semana.',
    'Me lo contó una amiga.',
    'Igual que el año pasado.',
  ],
  positive: [
    'Personal muy amable.',
    'A mí me funciona bien.',
    'Buena relación calidad-precio.',
    'Fácil y rápido.',
    'Lo recomendaría a mis amigos.',
  ],
};

const PORTUGUESE: SampleTexts = {
  words: [
    'Preço',
    'Qualidade',
    'Serviço',
    'Design',
    'Entrega',
    'Localização',
    'Horário',
    'Um amigo',
    'Publicidade',
  ],
  negative: [
    'Demorou demais.',
    'Caro demais para o que é.',
    'Ninguém respondeu à minha pergunta.',
    'Eu esperava mais.',
    'A página é difícil de usar.',
  ],
  neutral: [
    'Não me ocorre nada.',
    'Foi razoável.',
    'Uso uma vez por semana.',
    'Uma amiga me contou.',
    'Igual ao ano passado.',
  ],
  positive: [
    'Equipe muito simpática.',
    'Para mim funciona bem.',
    'Boa relação qualidade-preço.',
    'Fácil e rápido.',
    'Eu recomendaria aos amigos.',
  ],
};

const BY_LANGUAGE: ReadonlyMap<string, SampleTexts> = new Map([
  ['de', GERMAN],
  ['fr', FRENCH],
  ['es', SPANISH],
  ['pt', PORTUGUESE],
]);

/** Returns the texts for a language tag such as pt-BR; English for other languages. */
export function sampleTexts(language: string): SampleTexts {
  const [base = ''] = language.toLowerCase().split('-');
  return BY_LANGUAGE.get(base) ?? ENGLISH;
}
