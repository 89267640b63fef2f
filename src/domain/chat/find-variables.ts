import type { CatalogColumn, ColumnCatalog, QuestionColumns } from '../dataset/column-catalog.ts';
import { requireItem } from '../../lib/require-value.ts';
import { typeOf } from '../questions/registry.ts';
import type { ColumnSpec } from '../columns/column-spec.ts';
import { WAVE_COLUMN } from '../responses/metadata-columns.ts';

type VariableKind = 'choice' | 'multiple' | 'number' | 'nps' | 'text' | 'date' | 'battery' | 'file';

/** A variable of the survey: a question, a matrix row, or a derived column. */
export interface Variable {
  /** The code that functions accept. */
  code: string;
  label: string;
  kind: VariableKind;
  options: readonly { value: string; label: string }[];
  /** For a battery: the codes of its parts, which are also variables. */
  parts: readonly string[];
  /** The code of its battery. */
  partOf: string | null;
}

/** The variables of a survey. */
export interface Vocabulary {
  variables: readonly Variable[];
  hasWaves: boolean;
}

function kindOf({ type, measure }: ColumnSpec): VariableKind {
  switch (type) {
    case 'categorical':
    case 'binary':
      return 'choice';
    case 'multiple':
      return 'multiple';
    case 'number':
      return measure === 'nominal' ? 'choice' : 'number';
    case 'rank':
      return 'number';
    default:
      return type;
  }
}

function toVariable(spec: ColumnSpec, extras: Partial<Variable> = {}): Variable {
  const options = spec.values.map(({ value, label }) => ({ value, label }));
  return {
    code: spec.columnCode,
    label: spec.label,
    kind: kindOf(spec),
    options,
    parts: [],
    partOf: null,
    ...extras,
  };
}

function questionVariables({ question, columns, sets }: QuestionColumns): Variable[] {
  const { code, text } = question;
  const { composite, hasNetPromoterScore } = typeOf(question).figures;
  if (composite !== null) {
    const specs = sets.length > 0 ? sets : columns.filter((spec) => spec.type !== 'text');
    const parts = specs.map((spec) => toVariable(spec, { partOf: code }));
    const battery: Variable = {
      code,
      label: text,
      kind: 'battery',
      options: [],
      parts: parts.map((part) => part.code),
      partOf: null,
    };
    return [battery, ...parts];
  }
  if (sets.length > 0)
    return [...sets, ...columns.filter((spec) => spec.type === 'text')].map((spec) => toVariable(spec));
  return columns.map((spec, index) =>
    toVariable(spec, hasNetPromoterScore && index === 0 ? { kind: 'nps' } : {}),
  );
}

const isUsableDerivedColumn = ({ origin, spec }: CatalogColumn) =>
  origin.kind === 'derived' && origin.missingSources.length === 0 && spec.source !== 'weight';

/** Builds the vocabulary: live questions in order, then derived columns. */
export function buildVocabulary(catalog: ColumnCatalog): Vocabulary {
  const questions = new Map<string, QuestionColumns>();
  for (const { origin } of catalog.columns)
    if (origin.kind === 'question' && !origin.questionColumns.question.retired)
      questions.set(origin.questionColumns.question.code, origin.questionColumns);
  const derived = catalog.columns.filter(isUsableDerivedColumn).map(({ spec }) => toVariable(spec));
  return {
    variables: [...[...questions.values()].flatMap(questionVariables), ...derived],
    hasWaves: (catalog.find(WAVE_COLUMN)?.spec.values.length ?? 0) > 1,
  };
}

/** Removes accents and lower-cases a text, so that `Zufriedenheit`, `Qualité` and `QUALITE` match in any spelling. */
export function foldAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
}

/** Words and codes, folded, in order. */
export function splitWords(text: string): string[] {
  return foldAccents(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Letters that two words begin with. */
function sharedPrefixLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** Plurals that begin like another word. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['men', 'man'],
  ['women', 'woman'],
]);

const MIN_SHARED_PREFIX = 4;
/** Of the shorter word. */
const MIN_SHARED_FRACTION = 0.66;
const MAX_SUFFIX = 6;

/**
 * Similarity of two folded words, 0 to 1: equal, inflections of one another (`recommend`, `recommendation`), or different. Compares
 * beginnings, as most languages inflect at the end.
 */
export function wordSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  if ((IRREGULAR.get(a) ?? a) === (IRREGULAR.get(b) ?? b)) return 0.9;
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  // Short words have a plural at most: `age` is not `agent`.
  if (shorter.length < MIN_SHARED_PREFIX) return longer === `${shorter}s` && shorter.length > 1 ? 0.9 : 0;
  const shared = sharedPrefixLength(shorter, longer);
  if (shared < MIN_SHARED_PREFIX || shared < MIN_SHARED_FRACTION * shorter.length) return 0;
  return longer.length - shared <= MAX_SUFFIX ? 0.8 : 0;
}

/**
 * Words that do not change the meaning of a question. Unlike stop words, they can be the topic of a label. Words that restrict the
 * respondents, such as `only`, `young` and `last year`, are not in this list.
 */
export const FILLER_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
  see seen know known want need let get got look find found use used using often overall altogether general generally currently already now yet far
  standard exactly really actually simply just also too one ones re ve ll ask asks asked data result results figure figures overview statistics
  information come comes choose chose chosen select selected pick picked summary summarize summarise thing things aspect aspects main major
  mir dir gibt gab geben wurde wurden werden wird kann können möchte will wissen sehen bei beim dabei denn mal doch bisher insgesamt gesamt daten
  ergebnis ergebnisse oft häufig an am ins als dass da so auch noch alle allen jede jeder pro unser unsere unseren ihnen
  hay tenemos tiene tienen fue fueron hubo está están saber ver quiero puede datos resultado resultados hasta ahora sobre cada todo todos
  todas me mi te
  avons avez il ils elle elles je tu me mon ma mes tout tous toutes voir savoir veux peut données résultat résultats jusqu maintenant
  chaque qu
  temos há houve foi foram está estão saber quero pode dados até agora todo todos todas isso esta este eu
  получено получили получил всего данные результат результаты чем какое каково сейчас каждого каждой все всех нам нас мне меня хочу
  знать можно`),
);

/** Stop words. English, German, Spanish, French, Portuguese, Russian. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
  a an the of in on at to for from by with and or not no yes is are was were be been do does did has have had this that these those it its
  you your we our they their them he she his her i me my us what which who whom whose how many much when where why there here would could
  should can may will shall anybody anyone somebody someone everybody everyone something anything there as if than then so about between among per all any each every some more very please tell show give
  der die das den dem des ein eine einer eines einem einen und oder nicht ist sind war waren sein hat haben wie viele viel was welche
  welcher welches wer wo wann warum mit von vom zu zum zur im in auf für bei nach aus über unter sie ihr ihre wir uns sich man es bitte zeig
  el la los las lo un una unos unas y o no es son era fue ser ha han de del al a en con por para que qué cuál cuáles cuánto cuántos cuántas
  cómo quién dónde se su sus nos más muy
  le la les un une des du de et ou ne pas est sont était être a ont au aux en dans avec par pour sur que qui quoi quel quelle quels quelles
  combien comment où pourquoi se son sa ses leur leurs nous vous ce cette ces plus très
  o os as um uma uns umas e ou não é são era foi ser tem têm do da dos das no na nos nas em com por para que qual quais quanto quantos
  quantas como quem onde se seu sua seus suas mais muito
  и или не на в во с со к ко по о об от до за из для что как какой какая какие каков сколько кто где когда почему это этот эта эти их его
  ее мы вы они у же ли бы был была были есть`),
);

/** A variable that a message may refer to. */
export interface VariableMatch {
  variable: Variable;
  /** 0: no match. */
  score: number;
  byCode: boolean;
  /** The options that the message names. */
  options: readonly string[];
  /** Index of the first matching word. */
  wordIndex: number;
}

const CODE_SCORE = 100;
/** The minimum score of a match. A shared word scores higher the fewer labels contain it. */
const MIN_SCORE = 0.5;
/** Weight of an option's words relative to label words. */
const OPTION_WEIGHT = 1.2;
/** Bonus for a battery's part if the message contains the battery's code; its question text alone matches all parts. */
const BATTERY_CODE_BONUS = 0.3;
/** Option words too common to identify an option. */
const COMMON_OPTION_WORDS = new Set(
  splitWords('yes no ja nein si sí non oui sim não да нет other none maybe'),
);

interface IndexedVariable {
  variable: Variable;
  code: string;
  labelWords: ReadonlySet<string>;
  options: { label: string; words: string[] }[];
}

/** A tokenized message. */
interface TokenizedMessage {
  text: string;
  words: readonly string[];
  content: readonly { word: string; position: number }[];
  /** The different words of `content`, with their first position. */
  distinct: readonly { word: string; position: number; count: number }[];
  /** Compares a word of a label with `distinct` once for all variables; only similar words. */
  matchesOf: (labelWord: string) => readonly { index: number; similarity: number }[];
  /** The index in `words` of a word of an option; -1: not in the message. Computed once for all variables. */
  positionOf: (optionWord: string) => number;
}

/** Finds the variables that a message refers to by code, label words or option names. */
export class VariableFinder {
  private readonly variables: IndexedVariable[];
  private readonly labelsWithWord = new Map<string, number>();

  /** `ignored`: returns true for words that describe the kind of question, not its topic. */
  constructor(
    vocabulary: Vocabulary,
    private readonly ignored: (word: string) => boolean,
  ) {
    const byCode = new Map(vocabulary.variables.map((variable) => [variable.code, variable]));
    this.variables = vocabulary.variables.map((variable) => {
      const labelWords = new Set(splitWords(ownLabel(variable, byCode)).filter(isContentWord));
      const options = variable.options.map(({ label }) => ({
        label,
        words: splitWords(label),
      }));
      for (const word of labelWords) this.labelsWithWord.set(word, (this.labelsWithWord.get(word) ?? 0) + 1);
      return { variable, code: variable.code.toLowerCase(), labelWords, options };
    });
  }

  /** Sorted by score, descending. */
  find(text: string, predicate: (variable: Variable) => boolean = () => true): VariableMatch[] {
    const words = splitWords(text);
    const content = words
      .map((word, position) => ({ word, position }))
      .filter(({ word }) => isContentWord(word));
    const message = tokenizedMessage(text, words, content);
    return this.variables
      .filter(({ variable }) => predicate(variable))
      .map((described) => this.score(described, message))
      .filter(({ score }) => score >= MIN_SCORE)
      .sort((a, b) => b.score - a.score);
  }

  private score(
    { variable, code, labelWords, options }: IndexedVariable,
    { text, words, content, distinct, matchesOf, positionOf }: TokenizedMessage,
  ): VariableMatch {
    const codePosition = words.indexOf(code);
    const byCode =
      codePosition >= 0 && isUsableCode(code) && this.isTypedAsCode(variable.code, text, content);
    let index = byCode ? codePosition : words.length;
    let score = byCode ? CODE_SCORE : 0;
    const best = new Map<number, number>();
    for (const word of labelWords) {
      for (const { index: at, similarity } of matchesOf(word))
        best.set(at, Math.max(best.get(at) ?? 0, similarity * this.computeRarity(word)));
    }
    for (const [at, value] of best) {
      const { word, position, count } = requireItem(distinct, at);
      score += count * (this.ignored(word) ? value * 0.2 : value);
      index = Math.min(index, position);
    }
    const namedOptions: string[] = [];
    for (const option of options) {
      const positions = option.words.map(positionOf);
      if (positions.includes(-1) || !this.isDistinctive(option.words, labelWords)) continue;
      namedOptions.push(option.label);
      score += OPTION_WEIGHT * Math.log2(1 + option.words.length);
      index = Math.min(index, ...positions);
    }
    // Ties: a battery before its parts, short labels before long ones.
    const brevityBonus = score === 0 ? 0 : 0.01 / (1 + labelWords.size);
    const hint =
      variable.partOf !== null && words.includes(variable.partOf.toLowerCase()) ? BATTERY_CODE_BONUS : 0;
    return {
      variable,
      score: score === 0 ? 0 : score + brevityBonus + hint,
      byCode,
      options: withoutContainedOptions(namedOptions),
      wordIndex: index,
    };
  }

  /** A code such as SHARE can also be a keyword. It is a code if typed as in the survey (not in lower case), or without other content. */
  private isTypedAsCode(code: string, text: string, content: TokenizedMessage['content']): boolean {
    const folded = code.toLowerCase();
    if (!this.ignored(folded)) return true;
    const typed: readonly string[] = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
    const isTyped = code !== folded && typed.includes(code);
    return isTyped || content.every(({ word }) => this.ignored(word));
  }

  /** Whether an option's words identify it: they are neither words of its question nor common words. */
  private isDistinctive(words: readonly string[], labelWords: ReadonlySet<string>): boolean {
    const isPlain = (word: string) =>
      !isContentWord(word) || /^\d+$/.test(word) || COMMON_OPTION_WORDS.has(word) || this.ignored(word);
    if (words.every(isPlain)) return false;
    return !words.every((word) => [...labelWords].some((own) => wordSimilarity(own, word) > 0));
  }

  private computeRarity(word: string): number {
    return Math.log(1 + this.variables.length / (this.labelsWithWord.get(word) ?? 1)) / Math.LN2;
  }
}

function tokenizedMessage(
  text: string,
  words: readonly string[],
  content: TokenizedMessage['content'],
): TokenizedMessage {
  const byWord = new Map<string, { word: string; position: number; count: number }>();
  for (const { word, position } of content) {
    const known = byWord.get(word);
    if (known === undefined) byWord.set(word, { word, position, count: 1 });
    else known.count += 1;
  }
  const distinct = [...byWord.values()];
  const matchesOf = cacheByWord((labelWord) =>
    distinct.flatMap(({ word }, index) => {
      const similarity = wordSimilarity(labelWord, word);
      return similarity > 0 ? [{ index, similarity }] : [];
    }),
  );
  const positionOf = cacheByWord((optionWord) => words.findIndex((word) => isSameWord(word, optionWord)));
  return { text, words, content, distinct, matchesOf, positionOf };
}

function cacheByWord<T>(compute: (word: string) => T): (word: string) => T {
  const results = new Map<string, T>();
  return (word) => {
    const known = results.get(word);
    if (known !== undefined) return known;
    const result = compute(word);
    results.set(word, result);
    return result;
  };
}

/** Removes options contained in longer ones: `very satisfied` does not also mean `satisfied`. */
function withoutContainedOptions(options: readonly string[]): string[] {
  const inWords = options.map((label) => ({ label, words: splitWords(label) }));
  return inWords
    .filter(
      ({ words: own }) =>
        !inWords.some(({ words }) => words.length > own.length && own.every((word) => words.includes(word))),
    )
    .map(({ label }) => label);
}

/** The part of a label that follows its battery's question. */
function ownLabel({ label, partOf }: Variable, byCode: ReadonlyMap<string, Variable>): string {
  const battery = partOf === null ? undefined : byCode.get(partOf);
  return battery !== undefined && label.startsWith(battery.label) ? label.slice(battery.label.length) : label;
}

/** The same word, or with another ending: `South`, `southern`. */
const isSameWord = (a: string, b: string): boolean =>
  a === b || (wordSimilarity(a, b) > 0 && Math.abs(a.length - b.length) <= MAX_ENDING_DIFFERENCE);
const MAX_ENDING_DIFFERENCE = 3;

const isContentWord = (word: string): boolean => word.length > 1 && !STOP_WORDS.has(word);

/** Single letters are words in some languages. */
const isUsableCode = (code: string): boolean => code.length > 1 && !STOP_WORDS.has(code);
