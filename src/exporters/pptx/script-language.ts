/** Scripts with a default language for texts of another language than the report. The first match wins. */
const SCRIPTS: readonly { script: RegExp; language: string; languages: readonly string[] }[] = [
  { script: /\p{Script=Arabic}/u, language: 'ar-SA', languages: ['ar', 'fa', 'ur', 'ps', 'ckb', 'ug', 'sd'] },
  { script: /\p{Script=Hebrew}/u, language: 'he-IL', languages: ['he', 'iw', 'yi'] },
  { script: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, language: 'ja-JP', languages: ['ja'] },
  { script: /\p{Script=Hangul}/u, language: 'ko-KR', languages: ['ko'] },
  { script: /\p{Script=Han}/u, language: 'zh-CN', languages: ['zh', 'ja'] },
  {
    script: /\p{Script=Cyrillic}/u,
    language: 'ru-RU',
    languages: ['ru', 'uk', 'be', 'bg', 'sr', 'mk', 'kk', 'ky', 'mn', 'tg'],
  },
  { script: /\p{Script=Greek}/u, language: 'el-GR', languages: ['el'] },
  { script: /\p{Script=Devanagari}/u, language: 'hi-IN', languages: ['hi', 'mr', 'ne'] },
  { script: /\p{Script=Thai}/u, language: 'th-TH', languages: ['th'] },
];

const NON_LATIN = new Set(SCRIPTS.flatMap(({ languages }) => languages));

/** Detects the language of a text for spell checking and font selection. */
export function detectLanguage(text: string, reportLanguage: string): string {
  const primaryLanguage = reportLanguage.split('-')[0]!.toLowerCase();
  const match = SCRIPTS.find(({ script }) => script.test(text));
  if (match === undefined)
    return NON_LATIN.has(primaryLanguage) && /\p{Script=Latin}/u.test(text) ? 'en-US' : reportLanguage;
  return match.languages.includes(primaryLanguage) ? reportLanguage : match.language;
}

const FIRST_STRONG = /[\p{L}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Whether a paragraph is right-to-left by its first letter; without a letter, `fallback`. */
export function isRightToLeftText(text: string, fallback: boolean): boolean {
  const [letter] = FIRST_STRONG.exec(text) ?? [];
  return letter === undefined ? fallback : RIGHT_TO_LEFT.test(letter);
}
