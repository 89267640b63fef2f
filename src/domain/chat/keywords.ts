import { foldAccents, splitWords } from './find-variables.ts';

/** Keywords by group, matched as word stems ignoring accents and case. English, German, Spanish, French, Portuguese, Russian. */
const KEYWORDS = {
  questions:
    'question frage pregunta pergunta вопрос item items fragebogen questionnaire cuestionario questionario анкеты',
  responses:
    'response respond complete completes participant sample antwort teilnehm befragt stichprobe respuesta encuestad participante completa muestra réponse repons répondant echantillon resposta respondente inquirid amostra ответ респондент участник анкет выборк',
  howMany:
    'many number count size total viele anzahl cuánt cuant número numero combien nombre quant сколько число количество',
  list: 'list what which show welche zeig liste qué cuáles lista quelles quels quais какие покажи список',
  mean: 'mean average avg durchschnitt mittelwert schnitt promedio media moyenne média среднее средний средняя',
  median: 'median mediana médiane медиан',
  spread: 'sd deviation spread varianc standardabweichung desviación desviacion ecart desvio отклонени',
  nps: 'nps promoter detractor promotor',
  highest:
    'highest most best top popular common maximum largest strongest höchst hoechst meist best beliebt häufigst mayor mejor máxim maxim alto popular plus meilleur élev maior melhor высш наибол лучш популярн самый чаще',
  lowest:
    'lowest least worst bottom rarest minimum smallest weakest niedrigst wenigst schlechtest seltenst menor peor mínim minim bajo moins pire faible pior menos низк наимен худш реже',
  compare:
    'compare compared comparison differ difference versus vs unterschied vergleich unterscheid diferencia compar diferença difier différence différ comparer сравн разниц различ отлич segment group groups gruppe grupo groupe группа группам',
  verbatims:
    'say says said saying comment verbatim quote mention write wrote written think feel feeling complain complaint praise opinion feedback theme topic sentiment mood why reason sagen sagt meinen meint kommentar zitat schreib erwähn thema themen stimmung dicen dice comentari opin cita tema sentimiento disent dit commentaire avis citation thème sentiment dizem diz opinião citaç tema sentimento говор пишут пишет комментар отзыв мнени цитат тем настроени',
  waves:
    'wave trend time development welle zeitverlauf entwicklung ola tendencia tiempo vague tendance temps onda tendência tempo волн динамик времен',
  share:
    'share percent percentage proportion distribution answer answered breakdown split anteil prozent verteilung geantwortet porcentaje porcentagem distribución distribución contestó respondi proportion pourcentage répartition répondu distribuição parcela доля процент распределени ответил',
  help: 'help hello hi hey hallo hilfe hola ayuda bonjour aide olá ajuda привет помощь помоги',
  people:
    'people person persons customers leute personen menschen gente personas gens personnes pessoas люди людей survey umfrage encuesta enquête sondage pesquisa опрос score value rate rated rating',
} as const;

export type KeywordGroup = keyof typeof KEYWORDS;

const WORD_STEMS = Object.entries(KEYWORDS).map(
  ([name, words]) => [name as KeywordGroup, splitWords(words)] as const,
);
/** Shorter stems match whole words only. */
const MIN_STEM_LENGTH = 4;

const hasStem = (word: string, stem: string) =>
  stem.length < MIN_STEM_LENGTH ? word === stem : word.startsWith(stem);

/** Returns the keyword groups found in a text. */
export function findKeywords(text: string): ReadonlySet<KeywordGroup> {
  const words = splitWords(text);
  return new Set(
    WORD_STEMS.filter(([, stems]) => stems.some((stem) => words.some((word) => hasStem(word, stem)))).map(
      ([name]) => name,
    ),
  );
}

/** Whether a folded word is a keyword. */
export const isKeyword = (word: string): boolean =>
  WORD_STEMS.some(([, stems]) => stems.some((stem) => hasStem(word, stem)));

/** Phrases between a measure and its breakdown; longer ones first. */
const BREAKDOWN_PHRASES = [
  'broken down by',
  'split by',
  'depending on',
  'for each',
  'by',
  'per',
  'across',
  'between',
  'among',
  'versus',
  'vs',
  'aufgeteilt nach',
  'je nach',
  'nach',
  'zwischen',
  'según',
  'segun',
  'entre',
  'por',
  'selon',
  'par',
  'conforme',
  'в разрезе',
  'в зависимости от',
  'между',
  'по',
].map(foldAccents);
const BREAKDOWN_PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${BREAKDOWN_PHRASES.join('|')})(?![\\p{L}\\p{N}_])`,
  'u',
);

const BREAKDOWN_WORDS: ReadonlySet<string> = new Set(BREAKDOWN_PHRASES.flatMap(splitWords));

/** Whether a folded word belongs to a breakdown phrase. */
export const isBreakdownWord = (word: string): boolean => BREAKDOWN_WORDS.has(word);

/** Whether a folded word means highest or lowest; a number after such a word is a count. */
export const isOrderWord = (word: string): boolean =>
  WORD_STEMS.some(
    ([name, stems]) => (name === 'highest' || name === 'lowest') && stems.some((stem) => hasStem(word, stem)),
  );

/** Splits a text at its breakdown phrase; null if it has none. */
export function splitAtBreakdown(text: string): [string, string] | null {
  const folded = foldAccents(text);
  const found = BREAKDOWN_PATTERN.exec(folded);
  if (found === null) return null;
  return [folded.slice(0, found.index), folded.slice(found.index + found[0].length)];
}
