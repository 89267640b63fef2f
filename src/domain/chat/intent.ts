import { type Found, VariableFinder } from './find-variables.ts';
import { type AskedFor, askedFor, isKeyword, splitBy } from './keywords.ts';
import type { Variable, Vocabulary } from './vocabulary.ts';
import { EMPTY_WORDS, wordsOf } from './words.ts';

/** What somebody wants to know of a survey. */
export type Intent =
  | { kind: 'help' }
  | { kind: 'counts' }
  | { kind: 'questions' }
  | { kind: 'distribution'; of: Variable; options: readonly string[]; order: 'asked' | 'highest' | 'lowest' }
  | { kind: 'statistics'; of: Variable; wanted: 'mean' | 'median' | 'spread' | 'nps' }
  | { kind: 'battery'; of: Variable; order: 'asked' | 'highest' | 'lowest' }
  | { kind: 'crosstab'; row: Variable; column: Variable }
  | { kind: 'waves'; of: Variable }
  | { kind: 'verbatims'; of: readonly Variable[]; contains: string | null }
  | { kind: 'unknown'; reason: 'nothing_found' | 'no_waves' | 'no_texts' };

const NOTHING_FOUND: Intent = { kind: 'unknown', reason: 'nothing_found' };
const TEXTS_AT_ONCE = 3;
/** As many as a search takes. */
const SOUGHT_CHARACTERS = 200;

const isText = ({ kind }: Variable) => kind === 'text';
const isNoText = (variable: Variable) => !isText(variable);
const isNumber = ({ kind }: Variable) => kind === 'number' || kind === 'nps';
const isGroup = ({ kind }: Variable) => kind === 'choice' || kind === 'multiple';

/** Reads a question about a survey. What it does not understand it says so: it never guesses what nothing in the text points at. */
export function intentOf(message: string, vocabulary: Vocabulary): Intent {
  const wants = askedFor(message);
  const finder = new VariableFinder(vocabulary, isKeyword);
  const found = finder.find(message);
  const best = found[0];
  const isSure = best !== undefined && (best.byCode || best.options.length > 0 || saysMore(best, message));

  if (!isSure) {
    const plain = plainIntent(message, wants);
    if (plain !== null) return plain;
  }
  if (wants.has('verbatims')) {
    const said = verbatims(message, vocabulary, finder);
    // "What do people think of Q1", where Q1 has options, asks for its figures.
    if (said !== null && (best === undefined || isText(best.variable) || !best.byCode)) return said;
  }
  const of = meant(found, wants, vocabulary);
  if (wants.has('waves') && of !== null && !asksOfTime(of))
    return vocabulary.hasWaves ? { kind: 'waves', of } : { kind: 'unknown', reason: 'no_waves' };
  const broken = crossed(message, wants, found, finder, vocabulary);
  if (broken !== null) return broken;
  if (of === null) return NOTHING_FOUND;
  return about(of, best?.variable === of ? best.options : [], wants);
}

/** Whether a word of the message that is no keyword speaks of it. */
function saysMore({ variable }: Found, message: string): boolean {
  const own = message
    .split(/\s+/)
    .filter((word) => !wordsOf(word).every((part) => isKeyword(part) || EMPTY_WORDS.has(part)))
    .join(' ');
  const finder = new VariableFinder({ variables: [variable], hasWaves: false }, () => false);
  return finder.find(own).length > 0;
}

/** What needs no variable. */
function plainIntent(message: string, wants: ReadonlySet<AskedFor>): Intent | null {
  if (wants.has('help') || wordsOf(message).length === 0) return { kind: 'help' };
  if (wants.has('responses') && (wants.has('howMany') || wordsOf(message).length <= 3))
    return { kind: 'counts' };
  if (wants.has('questions') && (wants.has('list') || wants.has('howMany') || wordsOf(message).length <= 3))
    return { kind: 'questions' };
  if (wants.has('howMany') && (wants.has('share') || wants.has('people'))) return { kind: 'counts' };
  return null;
}

function verbatims(message: string, { variables }: Vocabulary, finder: VariableFinder): Intent | null {
  const texts = variables.filter(isText);
  if (texts.length === 0) return null;
  const [meantText] = finder.find(message, isText);
  if (meantText !== undefined) return { kind: 'verbatims', of: [meantText.variable], contains: null };
  // Nothing but the wish to read: all of it. Words that are no question's: where they are written.
  return { kind: 'verbatims', of: texts.slice(0, TEXTS_AT_ONCE), contains: soughtIn(message) };
}

/** The last words in a row that are about something, as they were typed: what people wrote is searched for them literally. */
function soughtIn(message: string): string | null {
  let row: string[] = [];
  let last: string | null = null;
  for (const word of message.match(/[\p{L}\p{N}\p{M}_’'-]+/gu) ?? []) {
    const parts = wordsOf(word);
    const isAbout = word.length > 2 && !parts.every((part) => EMPTY_WORDS.has(part) || isKeyword(part));
    row = isAbout ? [...row, word] : [];
    if (isAbout) last = row.join(' ');
  }
  return last?.slice(0, SOUGHT_CHARACTERS) ?? null;
}

/** The variable that is meant; null: none that anything points at. */
function meant(
  found: readonly Found[],
  wants: ReadonlySet<AskedFor>,
  { variables }: Vocabulary,
): Variable | null {
  const only = (which: (variable: Variable) => boolean): Variable | null => {
    const all = variables.filter(which);
    return all.length === 1 ? all[0]! : null;
  };
  const [best] = found;
  if (wants.has('nps') && best?.byCode !== true) {
    const score = found.find(({ variable }) => variable.kind === 'nps')?.variable;
    return score ?? only(({ kind }) => kind === 'nps') ?? best?.variable ?? null;
  }
  const wantsNumber = wants.has('mean') || wants.has('median') || wants.has('spread');
  if (wantsNumber && best?.byCode !== true) {
    // Of those that are about as good, one that has a mean.
    const near = found.filter(({ score }) => score >= 0.7 * (best?.score ?? 0));
    const numeric = near.find(({ variable }) => isNumber(variable) || variable.kind === 'battery');
    if (numeric !== undefined) return numeric.variable;
  }
  return best?.variable ?? null;
}

/** "Time" may be what the question itself is about. */
const asksOfTime = ({ label }: Variable): boolean => askedFor(label).has('waves');

/** Two variables, of which one breaks the other down. */
function crossed(
  message: string,
  wants: ReadonlySet<AskedFor>,
  found: readonly Found[],
  finder: VariableFinder,
  vocabulary: Vocabulary,
): Intent | null {
  const parts = splitBy(message);
  if (parts !== null) {
    const of = (part: string) => meant(finder.find(part, isNoText), askedFor(part), vocabulary);
    const [row, column] = [of(parts[0]), of(parts[1])];
    if (row !== null && column !== null && row !== column) return arranged(row, column);
  }
  // "Are women more satisfied than men" names two groups.
  const groups = found.find(({ variable, options }) => isGroup(variable) && options.length > 1);
  if (parts === null && groups === undefined && !wants.has('compare')) return null;
  const known = found.filter(({ variable }) => isNoText(variable));
  const first = groups ?? known.find(({ variable }) => isGroup(variable));
  const other = known.find(
    ({ variable }) => variable !== first?.variable && variable.partOf !== first?.variable.code,
  );
  if (first === undefined || other === undefined) return null;
  return arranged(other.variable, first.variable);
}

/** Groups make the columns: a number has none. */
function arranged(row: Variable, column: Variable): Intent {
  if (isNumber(column) && isGroup(row)) return { kind: 'crosstab', row: column, column: row };
  return { kind: 'crosstab', row, column };
}

function about(of: Variable, options: readonly string[], wants: ReadonlySet<AskedFor>): Intent {
  const order = wants.has('lowest') ? 'lowest' : wants.has('highest') ? 'highest' : 'asked';
  switch (of.kind) {
    case 'text':
      return { kind: 'verbatims', of: [of], contains: null };
    case 'battery':
      return { kind: 'battery', of, order };
    case 'nps':
      return { kind: 'statistics', of, wanted: statisticIn(wants) ?? 'nps' };
    case 'number':
      if (wants.has('share')) break;
      return { kind: 'statistics', of, wanted: statisticIn(wants) ?? 'mean' };
    case 'choice': {
      const wanted = statisticIn(wants);
      if (wanted !== null) return { kind: 'statistics', of, wanted };
      break;
    }
    default:
  }
  return { kind: 'distribution', of, options, order };
}

/** "Median" begins as "media", which is a mean in other languages. */
const statisticIn = (wants: ReadonlySet<AskedFor>): 'mean' | 'median' | 'spread' | null =>
  (['median', 'spread', 'mean'] as const).find((statistic) => wants.has(statistic)) ?? null;
