import type { LevelOfMeasurement } from '../../columns/column-spec.ts';

/** `categorical`: no order. `sequential`: from little to much. `diverging`: from one pole over a middle to the opposite one. */
export type Palette = 'categorical' | 'sequential' | 'diverging';

/** In front of a word they make its opposite, in English and the languages that surveys are often translated to. */
const OPPOSING_PREFIXES = ['dis', 'un', 'in', 'im', 'il', 'ir', 'non', 'des', 'on', 'miss', 'nie'];
/** What an opposing prefix is in front of has at least as many letters. */
const MIN_STEM = 4;

const NEGATIONS = new Set(['not', 'dont', 'don', 'nicht', 'pas', 'no', 'non', 'nao', 'niet', 'nie']);
/** Denying these is the opposite of affirming them, whereas "not at all" and "very" important are two amounts. */
const SUBJECTS_WITH_POLES = new Set(
  (
    'agree satisfied happy stimme trifft zufrieden accord satisfait satisfaite satisfaits acuerdo satisfecho satisfecha ' +
    'accordo soddisfatto soddisfatta concordo satisfeito satisfeita eens tevreden'
  ).split(' '),
);

const words = (text: string) => new Set(text.split(' '));
/** Words of opposite ends. */
const OPPOSITES: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [
    words(
      'bad poor terrible awful horrible worst schlecht mauvais mauvaise malo mala mal cattivo ruim mau slecht',
    ),
    words(
      'good great excellent outstanding best gut ausgezeichnet bon bonne excellente bueno buena excelente buono bom goed',
    ),
  ],
  [
    words('worse schlechter pire peor peggio pior slechter'),
    words('better besser mieux mejor meglio melhor beter'),
  ],
  [words('negative negativ negatif negativo negativa'), words('positive positiv positif positivo positiva')],
  [words('hate dislike detest oppose reject'), words('love like adore support favor favour accept')],
  [words('decrease decreased declined'), words('increase increased grown')],
  [words('sad left weak'), words('happy right strong')],
];

/** The words of a label in lower case, without accents and marks. */
const wordsOf = (label: string): string[] =>
  label
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]t\b/g, 't')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? [];

const isOpposedByPrefix = (one: readonly string[], other: readonly string[]): boolean =>
  one.some(
    (word) => word.length >= MIN_STEM && OPPOSING_PREFIXES.some((prefix) => other.includes(prefix + word)),
  );

function isOpposedByNegation(one: readonly string[], other: readonly string[]): boolean {
  const isNegated = (list: readonly string[]) => list.some((word) => NEGATIONS.has(word));
  const isShared = (word: string) => SUBJECTS_WITH_POLES.has(word) && other.includes(word);
  return isNegated(one) !== isNegated(other) && one.some(isShared);
}

const isOpposedByMeaning = (one: readonly string[], other: readonly string[]): boolean =>
  OPPOSITES.some(([low, high]) => one.some((word) => low.has(word)) && other.some((word) => high.has(word)));

/** Whether the first and the last answer are opposites, such as "Strongly disagree" and "Strongly agree". */
export function hasOppositeEnds(labels: readonly string[]): boolean {
  if (labels.length < 2) return false;
  const [first, last] = [wordsOf(labels[0] ?? ''), wordsOf(labels.at(-1) ?? '')];
  return (
    isOpposedByPrefix(first, last) ||
    isOpposedByPrefix(last, first) ||
    isOpposedByNegation(first, last) ||
    isOpposedByMeaning(first, last) ||
    isOpposedByMeaning(last, first)
  );
}

/** The palette for answers in their order. Ordered answers have two poles only if their ends are opposites. */
export function choosePalette(measure: LevelOfMeasurement, labels: readonly string[]): Palette {
  if (measure === 'nominal') return 'categorical';
  return hasOppositeEnds(labels) ? 'diverging' : 'sequential';
}
