import {
  findKeywords,
  isBreakdownWord,
  isKeyword,
  isOrderWord,
  type KeywordGroup,
  splitAtBreakdown,
} from './keywords.ts';
import {
  FILLER_WORDS,
  STOP_WORDS,
  type Variable,
  VariableFinder,
  type VariableMatch,
  type Vocabulary,
  wordSimilarity,
  splitWords,
} from './find-variables.ts';
import type { FunctionName } from './chat-figure.ts';

/** The intent of a chat question. */
export type Intent =
  | { kind: 'help' }
  | { kind: 'counts' }
  | { kind: 'questions' }
  | {
      kind: 'distribution';
      variable: Variable;
      options: readonly string[];
      order: 'original' | 'highest' | 'lowest';
    }
  | { kind: 'statistics'; variable: Variable; wanted: 'mean' | 'median' | 'spread' | 'nps' }
  | { kind: 'battery'; variable: Variable; order: 'original' | 'highest' | 'lowest' }
  | { kind: 'crosstab'; row: Variable; column: Variable }
  | { kind: 'waves'; variable: Variable }
  | { kind: 'verbatims'; variables: readonly [Variable, ...Variable[]]; contains: string | null }
  /** Partly understood: the intent does not cover some words. */
  | { kind: 'unclear'; read: ClearIntent; unused: readonly string[]; others: readonly Variable[] }
  | { kind: 'unknown'; reason: 'nothing_found' | 'no_waves' | 'no_texts' };

/** An intent that can be answered. */
export type ClearIntent = Exclude<Intent, { kind: 'help' | 'unknown' | 'unclear' }>;

/** The variables of an intent. */
function variablesOf(intent: ClearIntent): readonly Variable[] {
  switch (intent.kind) {
    case 'counts':
    case 'questions':
      return [];
    case 'crosstab':
      return [intent.row, intent.column];
    case 'verbatims':
      return intent.variables;
    default:
      return [intent.variable];
  }
}

/** English, German, French, Spanish, Portuguese, Russian. */
const NEGATIONS: ReadonlySet<string> = new Set(
  splitWords(
    'not without except excluding nicht kein keine keinen ohne außer pas sans sauf sin excepto não sem exceto не без кроме',
  ),
);

/** Words that the kind of intent already implies. */
const IMPLIED_BY_INTENT: Partial<Record<ClearIntent['kind'], ReadonlySet<string>>> = {
  waves: new Set(
    splitWords('over change changed changes laufe verändert evolucionado évolué mudou изменилось'),
  ),
  crosstab: new Set(
    splitWords(
      'significant significantly relate related relation relationship association connection signifikant zusammenhang significativa ' +
        'significativo relación significative significatif lien relação значимая значимо связь',
    ),
  ),
  statistics: new Set(['net', 'score']),
};

interface Token {
  /** The original text. */
  text: string;
  /** Folded content words that an intent must cover; empty for function words and keywords. */
  content: readonly { word: string; before: string }[];
}

/**
 * The content words of a message: all except function words and keywords. Negations and numbers count, because they change the question.
 */
class MessageContent {
  private readonly tokens: readonly Token[];

  constructor(
    message: string,
    private readonly vocabulary: Vocabulary,
  ) {
    // A code in its exact spelling counts as content, even if it is also a keyword.
    const codes = new Set(vocabulary.variables.map(({ code }) => code));
    let before = '';
    this.tokens = (message.match(/[\p{L}\p{N}\p{M}_’'-]+/gu) ?? []).map((text) => {
      const isCode = text !== text.toLowerCase() && codes.has(text);
      const content: { word: string; before: string }[] = [];
      for (const word of splitWords(text.replace(/n[’']t$/i, ' not'))) {
        if (isCode || isContentWord(word)) content.push({ word, before });
        before = word;
      }
      return { text, content };
    });
  }

  /**
   * Returns the words that an intent does not cover, adjacent words joined, such as `under 30` in "What share of cyclists are under 30?".
   * `optionsOf` returns the options of a variable that the message names.
   */
  findUnusedWords(intent: ClearIntent, optionsOf: (variable: Variable) => readonly string[]): string[] {
    const isUsed = this.createUsageTest(intent, optionsOf);
    let row: string[] = [];
    const rows = [row];
    for (const { text, content } of this.tokens) {
      if (content.every(({ word, before }) => isUsed(word, before))) rows.push((row = []));
      else row.push(text);
    }
    return rows.filter((words) => words.length > 0).map((words) => words.join(' '));
  }

  private createUsageTest(intent: ClearIntent, optionsOf: (variable: Variable) => readonly string[]) {
    const intentVariables = variablesOf(intent);
    const batteries = this.vocabulary.variables.filter(({ code }) =>
      intentVariables.some(({ partOf }) => partOf === code),
    );
    const texts = [...intentVariables, ...batteries]
      .map(({ label }) => label)
      .concat(intentVariables.flatMap(optionsOf));
    const searchText = intent.kind === 'verbatims' ? (intent.contains ?? '') : '';
    const codes = [...intentVariables, ...batteries].map(({ code }) => code.toLowerCase());
    const exact = new Set([...codes, ...[...texts, searchText].flatMap(splitWords)]);
    const contentWords = [...new Set(texts.flatMap(splitWords))].filter((word) => !STOP_WORDS.has(word));
    return (word: string, before: string): boolean => {
      if (exact.has(word) || IMPLIED_BY_INTENT[intent.kind]?.has(word) === true) return true;
      // "The top 3", "wave 2" of all waves.
      if (isNumberWord(word)) return isOrderWord(before) || (intent.kind === 'waves' && isKeyword(before));
      return !NEGATIONS.has(word) && contentWords.some((own) => wordSimilarity(own, word) > 0);
    };
  }
}

const isNumberWord = (word: string): boolean => /^\d+$/.test(word);

function isContentWord(word: string): boolean {
  if (isNumberWord(word) || NEGATIONS.has(word)) return true;
  const isSmall = word.length === 1 || STOP_WORDS.has(word) || FILLER_WORDS.has(word);
  return !isSmall && !isKeyword(word) && !isBreakdownWord(word);
}

interface PlannedCall {
  name: FunctionName;
  arguments: Record<string, string | number | null>;
}

const MAX_VERBATIMS = 6;

/** Returns the function calls that answer an intent. */
export function planCalls(intent: Intent): PlannedCall[] {
  switch (intent.kind) {
    case 'counts':
      return [{ name: 'get_response_counts', arguments: {} }];
    case 'questions':
      return [{ name: 'list_questions', arguments: {} }];
    case 'distribution':
      return [{ name: 'get_distribution', arguments: { question_code: intent.variable.code } }];
    case 'battery':
      return [{ name: 'get_distribution', arguments: { question_code: intent.variable.code } }];
    case 'statistics':
      return [{ name: 'get_statistics', arguments: { question_code: intent.variable.code } }];
    case 'crosstab':
      return [{ name: 'get_crosstab', arguments: { row: intent.row.code, column: intent.column.code } }];
    case 'waves':
      return [{ name: 'compare_waves', arguments: { question_code: intent.variable.code } }];
    case 'verbatims':
      return intent.variables.map(({ code }) => {
        const { contains } = intent;
        return {
          name: 'get_verbatims',
          arguments: { question_code: code, contains, limit: MAX_VERBATIMS },
        };
      });
    case 'help':
    case 'unclear':
    case 'unknown':
      return [];
  }
}

const NOTHING_FOUND: Intent = { kind: 'unknown', reason: 'nothing_found' };
const MAX_TEXT_QUESTIONS = 3;
/** The maximum length of a search text. */
const MAX_SEARCH_CHARACTERS = 200;

const isText = ({ kind }: Variable) => kind === 'text';
const isNotText = (variable: Variable) => !isText(variable);
const isNumber = ({ kind }: Variable) => kind === 'number' || kind === 'nps';
const isGroup = ({ kind }: Variable) => kind === 'choice' || kind === 'multiple';

/**
 * Parses a question about a survey. Never guesses. Returns a clear intent only if it covers every content word; otherwise tries
 * alternatives and chooses the one that leaves the fewest words.
 */
export function parseIntent(message: string, vocabulary: Vocabulary): Intent {
  const wants = findKeywords(message);
  const finder = new VariableFinder(vocabulary, isKeyword);
  const found = finder.find(message);
  const first = parseBestMatch({ message, wants, found, finder, vocabulary });
  if (first.kind === 'help' || first.kind === 'unknown' || first.kind === 'unclear') return first;
  const optionsOf = (variable: Variable) => found.find((match) => match.variable === variable)?.options ?? [];
  const content = new MessageContent(message, vocabulary);
  const unusedBy = (intent: ClearIntent) => content.findUnusedWords(intent, optionsOf);
  if (isImplied(first, message, wants)) {
    const alone = found.map(({ variable, options }) => intentForVariable(variable, options, wants));
    const simpler = alone.slice(0, MAX_ALTERNATIVES).find((intent) => unusedBy(intent).length === 0);
    if (simpler !== undefined) return simpler;
  }
  let best = { read: first, unused: unusedBy(first) };
  for (const read of alternativeIntents(first, wants, found)) {
    if (best.unused.length === 0) break;
    const unused = unusedBy(read);
    if (wordCount(unused) < wordCount(best.unused)) best = { read, unused };
  }
  const { read, unused } = best;
  if (unused.length === 0) return read;
  const isPointedAt = (variable: Variable) =>
    found.some((match) => match.variable === variable && isSpecificMatch(match, message));
  const used = variablesOf(read);
  if (used.length > 0 && read.kind !== 'verbatims' && !used.some(isPointedAt)) return NOTHING_FOUND;
  const others = found.map(({ variable }) => variable).filter((variable) => !used.includes(variable));
  return { kind: 'unclear', read, unused, others };
}

/** Whether the message implies a crosstab without requesting one; a single variable that covers all words is then preferred. */
const isImplied = (intent: ClearIntent, message: string, wants: ReadonlySet<KeywordGroup>): boolean =>
  intent.kind === 'crosstab' && splitAtBreakdown(message) === null && !wants.has('compare');

const wordCount = (rows: readonly string[]): number => rows.join(' ').split(' ').filter(Boolean).length;

const MAX_ALTERNATIVES = 6;

/** Yields alternative intents: other variables, or pairs in which the first named group breaks down the other. */
function* alternativeIntents(
  first: ClearIntent,
  wants: ReadonlySet<KeywordGroup>,
  found: readonly VariableMatch[],
): Generator<ClearIntent> {
  if (first.kind === 'crosstab' || first.kind === 'waves') return;
  const tried = found.filter(({ variable }) => isNotText(variable)).slice(0, MAX_ALTERNATIVES);
  for (const { variable, options } of tried) yield intentForVariable(variable, options, wants);
  for (const column of tried)
    for (const row of tried)
      if (row.variable.kind !== 'battery' && isColumnOf(column, row))
        yield { kind: 'crosstab', row: row.variable, column: column.variable };
}

/** Whether the first variable groups the second: "How satisfied are women?", "What share of women are satisfied?" */
function isColumnOf(column: VariableMatch, row: VariableMatch): boolean {
  if (column.variable === row.variable || !isGroup(column.variable)) return false;
  if (!isGroup(row.variable)) return true;
  const [columnHasOptions, rowHasOptions] = [column.options.length > 0, row.options.length > 0];
  return columnHasOptions === rowHasOptions ? column.wordIndex < row.wordIndex : columnHasOptions;
}

/** A message and what was found in it. */
interface MessageParts {
  message: string;
  wants: ReadonlySet<KeywordGroup>;
  /** The variables that it names, best match first. */
  found: readonly VariableMatch[];
  finder: VariableFinder;
  vocabulary: Vocabulary;
}

/** Parses the most likely intent, even if it does not cover all words. */
function parseBestMatch(parts: MessageParts): Intent {
  const { message, wants, finder, found, vocabulary } = parts;
  const best = found[0];
  const isSpecific = best !== undefined && isSpecificMatch(best, message);

  if (!isSpecific) {
    const plain = parseIntentWithoutVariable(message, wants);
    if (plain !== null) return plain;
  }
  if (wants.has('verbatims')) {
    const verbatimsIntent = parseVerbatimsIntent(message, vocabulary, finder);
    // "What do people think of Q1", where Q1 has options, asks for its figures.
    if (verbatimsIntent !== null && (best === undefined || isText(best.variable) || !best.byCode))
      return verbatimsIntent;
  }
  const variable = chooseVariable(found, wants, vocabulary);
  if (wants.has('waves') && variable !== null && !isAboutTime(variable))
    return vocabulary.hasWaves ? { kind: 'waves', variable } : { kind: 'unknown', reason: 'no_waves' };
  const crosstab = parseCrosstabIntent(parts);
  if (crosstab !== null) return crosstab;
  if (variable === null) return NOTHING_FOUND;
  return intentForVariable(variable, best?.variable === variable ? best.options : [], wants);
}

/** Whether more than a keyword refers to the variable. */
const isSpecificMatch = (found: VariableMatch, message: string): boolean =>
  found.byCode || found.options.length > 0 || matchesBeyondKeywords(found, message);

/** Whether a word other than a keyword refers to the variable. */
function matchesBeyondKeywords({ variable }: VariableMatch, message: string): boolean {
  const own = message
    .split(/\s+/)
    .filter((word) => !splitWords(word).every((part) => isKeyword(part) || STOP_WORDS.has(part)))
    .join(' ');
  const finder = new VariableFinder({ variables: [variable], hasWaves: false }, () => false);
  return finder.find(own).length > 0;
}

/** Parses intents that need no variable. */
function parseIntentWithoutVariable(message: string, wants: ReadonlySet<KeywordGroup>): Intent | null {
  if (wants.has('help') || splitWords(message).length === 0) return { kind: 'help' };
  if (wants.has('responses') && (wants.has('howMany') || splitWords(message).length <= 3))
    return { kind: 'counts' };
  if (
    wants.has('questions') &&
    (wants.has('list') || wants.has('howMany') || splitWords(message).length <= 3)
  )
    return { kind: 'questions' };
  if (wants.has('howMany') && (wants.has('share') || wants.has('people'))) return { kind: 'counts' };
  return null;
}

function parseVerbatimsIntent(
  message: string,
  { variables }: Vocabulary,
  finder: VariableFinder,
): Intent | null {
  const [firstText, ...otherTexts] = variables.filter(isText);
  if (firstText === undefined) return null;
  const [meantText] = finder.find(message, isText);
  if (meantText !== undefined) return { kind: 'verbatims', variables: [meantText.variable], contains: null };
  // Without other words: all texts. With words that match no question: texts that contain them.
  return {
    kind: 'verbatims',
    variables: [firstText, ...otherTexts.slice(0, MAX_TEXT_QUESTIONS - 1)],
    contains: findSearchText(message),
  };
}

/** Returns the last adjacent content words as typed; verbatims are searched for them literally. */
function findSearchText(message: string): string | null {
  let row: string[] = [];
  let last: string | null = null;
  for (const word of message.match(/[\p{L}\p{N}\p{M}_’'-]+/gu) ?? []) {
    const parts = splitWords(word);
    const isSmall = parts.every(isSmallWord);
    const isAbout = word.length > 2 && !parts.every((part) => isSmallWord(part) || isKeyword(part));
    // Keeps a function word within the phrase: "cycling to work".
    if (isAbout || (isSmall && row.length > 0)) row.push(word);
    else row = [];
    if (isAbout) last = row.join(' ');
  }
  return last?.slice(0, MAX_SEARCH_CHARACTERS) ?? null;
}

const isSmallWord = (word: string): boolean => STOP_WORDS.has(word) || FILLER_WORDS.has(word);

/** Returns the variable that the question refers to; null if there is none. */
function chooseVariable(
  found: readonly VariableMatch[],
  wants: ReadonlySet<KeywordGroup>,
  { variables }: Vocabulary,
): Variable | null {
  const findUnique = (predicate: (variable: Variable) => boolean): Variable | null => {
    const [only = null, ...others] = variables.filter(predicate);
    return others.length === 0 ? only : null;
  };
  const [best] = found;
  if (wants.has('nps') && best?.byCode !== true) {
    const score = found.find(({ variable }) => variable.kind === 'nps')?.variable;
    return score ?? findUnique(({ kind }) => kind === 'nps') ?? best?.variable ?? null;
  }
  const wantsNumber = wants.has('mean') || wants.has('median') || wants.has('spread');
  if (wantsNumber && best?.byCode !== true) {
    // Prefers a variable with a mean among the best matches.
    const near = found.filter(({ score }) => score >= 0.7 * (best?.score ?? 0));
    const numeric = near.find(({ variable }) => isNumber(variable) || variable.kind === 'battery');
    if (numeric !== undefined) return numeric.variable;
  }
  return best?.variable ?? null;
}

/** "Time" may be the topic of the question itself. */
const isAboutTime = ({ label }: Variable): boolean => findKeywords(label).has('waves');

/** Parses a crosstab of two variables. */
function parseCrosstabIntent({
  message,
  wants,
  found,
  finder,
  vocabulary,
}: MessageParts): ClearIntent | null {
  const parts = splitAtBreakdown(message);
  if (parts !== null) {
    const findVariable = (part: string) =>
      chooseVariable(finder.find(part, isNotText), findKeywords(part), vocabulary);
    const [row, column] = [findVariable(parts[0]), findVariable(parts[1])];
    if (row !== null && column !== null && row !== column) return crosstabIntent(row, column);
  }
  // "Are women more satisfied than men" names two groups.
  const groups = found.find(({ variable, options }) => isGroup(variable) && options.length > 1);
  if (parts === null && groups === undefined && !wants.has('compare')) return null;
  const candidates = found.filter(({ variable }) => isNotText(variable));
  const first = groups ?? candidates.find(({ variable }) => isGroup(variable));
  const other = candidates.find(
    ({ variable }) => variable !== first?.variable && variable.partOf !== first?.variable.code,
  );
  if (first === undefined || other === undefined) return null;
  return crosstabIntent(other.variable, first.variable);
}

/** Groups become columns; a number cannot. */
function crosstabIntent(row: Variable, column: Variable): ClearIntent {
  if (isNumber(column) && isGroup(row)) return { kind: 'crosstab', row: column, column: row };
  return { kind: 'crosstab', row, column };
}

function intentForVariable(
  variable: Variable,
  options: readonly string[],
  wants: ReadonlySet<KeywordGroup>,
): ClearIntent {
  const order = wants.has('lowest') ? 'lowest' : wants.has('highest') ? 'highest' : 'original';
  switch (variable.kind) {
    case 'text':
      return { kind: 'verbatims', variables: [variable], contains: null };
    case 'battery':
      return { kind: 'battery', variable, order };
    case 'nps':
      return { kind: 'statistics', variable, wanted: findStatistic(wants) ?? 'nps' };
    case 'number':
      if (wants.has('share')) break;
      return { kind: 'statistics', variable, wanted: findStatistic(wants) ?? 'mean' };
    case 'choice': {
      const wanted = findStatistic(wants);
      if (wanted !== null) return { kind: 'statistics', variable, wanted };
      break;
    }
    default:
  }
  return { kind: 'distribution', variable, options, order };
}

/** "Median" starts with "media", which means average in other languages, so it is tested first. */
const findStatistic = (wants: ReadonlySet<KeywordGroup>): 'mean' | 'median' | 'spread' | null =>
  (['median', 'spread', 'mean'] as const).find((statistic) => wants.has(statistic)) ?? null;
