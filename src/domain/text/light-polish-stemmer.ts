const ENDINGS = [
  ...[
    'owaniem',
    'owania',
    'owanie',
    'iejszy',
    'iejsza',
    'iejsze',
    'ością',
    'owych',
    'owymi',
    'ościach',
    'ości',
    'ość',
  ],
  ...[
    'iego',
    'iemu',
    'iach',
    'iami',
    'ałem',
    'ałam',
    'ego',
    'emu',
    'ych',
    'ich',
    'ymi',
    'imi',
    'ami',
    'ach',
    'owi',
    'ów',
    'iem',
  ],
  ...[
    'ała',
    'ało',
    'ali',
    'ały',
    'iła',
    'iło',
    'ili',
    'ić',
    'ać',
    'eć',
    'em',
    'om',
    'ej',
    'ie',
    'ią',
    'ię',
    'am',
    'im',
    'ym',
  ],
  ...['ał', 'ił', 'ia', 'io', 'a', 'ą', 'e', 'ę', 'i', 'o', 'u', 'y'],
];
const MIN_STEM_LENGTH = 4;

/** Removes the longest ending that leaves a stem of sufficient length: none of the installed packages has a Polish stemmer. */
export function stemPolish(word: string): string {
  const ending = ENDINGS.find((one) => word.length - one.length >= MIN_STEM_LENGTH && word.endsWith(one));
  return ending === undefined ? word : word.slice(0, word.length - ending.length);
}
