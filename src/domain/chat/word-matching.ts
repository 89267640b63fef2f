/** Removes accents and lower-cases a text, so that `Zufriedenheit`, `Qualité` and `QUALITE` match in any spelling. */
export function foldAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
}

/** Words and codes, folded, in order. */
export function wordsOf(text: string): string[] {
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
  wordsOf(`
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
  wordsOf(`
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
