/** Scripts, and a language that is written in each where the report's own is not; the first that a text holds decides. */
const SCRIPTS: readonly { script: RegExp; language: string; also: readonly string[] }[] = [
  { script: /\p{Script=Arabic}/u, language: 'ar-SA', also: ['ar', 'fa', 'ur', 'ps', 'ckb', 'ug', 'sd'] },
  { script: /\p{Script=Hebrew}/u, language: 'he-IL', also: ['he', 'iw', 'yi'] },
  { script: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, language: 'ja-JP', also: ['ja'] },
  { script: /\p{Script=Hangul}/u, language: 'ko-KR', also: ['ko'] },
  { script: /\p{Script=Han}/u, language: 'zh-CN', also: ['zh', 'ja'] },
  {
    script: /\p{Script=Cyrillic}/u,
    language: 'ru-RU',
    also: ['ru', 'uk', 'be', 'bg', 'sr', 'mk', 'kk', 'ky', 'mn', 'tg'],
  },
  { script: /\p{Script=Greek}/u, language: 'el-GR', also: ['el'] },
  { script: /\p{Script=Devanagari}/u, language: 'hi-IN', also: ['hi', 'mr', 'ne'] },
  { script: /\p{Script=Thai}/u, language: 'th-TH', also: ['th'] },
];

const NON_LATIN = new Set(SCRIPTS.flatMap(({ also }) => also));

/** In which language a text is written, for spelling and for the choice of a typeface. */
export function detectLanguage(text: string, reportLanguage: string): string {
  const own = reportLanguage.split('-')[0]!.toLowerCase();
  const found = SCRIPTS.find(({ script }) => script.test(text));
  if (found === undefined)
    return NON_LATIN.has(own) && /\p{Script=Latin}/u.test(text) ? 'en-US' : reportLanguage;
  return found.also.includes(own) ? reportLanguage : found.language;
}

const FIRST_STRONG = /[\p{L}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Whether a paragraph runs from right to left: its first letter decides; without one, `otherwise`. */
export function isRightToLeftText(text: string, otherwise: boolean): boolean {
  const [letter] = FIRST_STRONG.exec(text) ?? [];
  return letter === undefined ? otherwise : RIGHT_TO_LEFT.test(letter);
}
