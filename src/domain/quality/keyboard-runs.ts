/**
 * Keyboard rows, with the length of the shortest run that does not occur in words of the languages typed on them (in the upper rows
 * "wert" and "pour" are words; "запрос" has four adjacent keys of the Russian home row).
 */
const ROWS: readonly { keys: string; shortest: number }[] = [
  { keys: 'qwertyuiop', shortest: 5 },
  { keys: 'asdfghjkl', shortest: 4 },
  { keys: 'zxcvbnm', shortest: 4 },
  // French and German keyboards, where they differ
  { keys: 'azertyuiop', shortest: 5 },
  { keys: 'qsdfghjklm', shortest: 4 },
  { keys: 'wxcvbn', shortest: 4 },
  { keys: 'qwertzuiopü', shortest: 5 },
  { keys: 'asdfghjklöä', shortest: 4 },
  { keys: 'yxcvbnm', shortest: 4 },
  // Russian and Ukrainian
  { keys: 'йцукенгшщзхъ', shortest: 5 },
  { keys: 'фывапролджэ', shortest: 5 },
  { keys: 'фыва', shortest: 4 },
  { keys: 'фівапролджє', shortest: 5 },
  { keys: 'фіва', shortest: 4 },
  { keys: 'ячсмитьбю', shortest: 5 },
  // Greek, Hebrew, Arabic
  { keys: 'ςερτυθιοπ', shortest: 5 },
  { keys: 'ασδφγηξκλ', shortest: 4 },
  { keys: 'קראטוןםפ', shortest: 5 },
  { keys: 'שדגכעיחלךף', shortest: 5 },
  { keys: 'ضصثقفغعهخحجد', shortest: 5 },
  { keys: 'شسيبلاتنمكط', shortest: 5 },
];

const NEIGHBOUR_SHARE = ROWS.map(({ keys, shortest }) => {
  const indices = new Map(Array.from(keys, (key, position) => [key, position]));
  return { indices, shortest };
});

/** Adjacent keys, in any row and direction. */
const PAIRS = new Set(
  ROWS.flatMap(({ keys }) => {
    const row = Array.from(keys);
    return row.slice(1).flatMap((key, index) => [row[index]! + key, key + row[index]!]);
  }),
);
const SHORTEST = Math.min(...ROWS.map(({ shortest }) => shortest));

/** Whether enough adjacent keys follow each other to check for runs. */
function hasManyNeighbours(letters: readonly string[]): boolean {
  let length = 1;
  for (let index = 1; index < letters.length; index++) {
    length = PAIRS.has(letters[index - 1]! + letters[index]!) ? length + 1 : 1;
    if (length >= SHORTEST) return true;
  }
  return false;
}

/** The share of letters in runs along a keyboard row, in either direction, 0 to 1. */
export function keyboardRunShare(letters: readonly string[]): number {
  if (!hasManyNeighbours(letters)) return 0;
  let most = 0;
  for (const { indices, shortest } of NEIGHBOUR_SHARE)
    most = Math.max(most, countLettersInRuns(letters, indices, shortest));
  return most / letters.length;
}

function countLettersInRuns(
  letters: readonly string[],
  indices: ReadonlyMap<string, number>,
  shortest: number,
): number {
  let covered = 0;
  let length = 0;
  // 1 if the run starts with the last key of a counted run.
  let counted = 0;
  let direction = 0;
  let previous: number | undefined;
  for (const letter of [...letters, '']) {
    const position = indices.get(letter);
    const step = position === undefined || previous === undefined ? 0 : position - previous;
    if (Math.abs(step) === 1 && (length === 1 || step === direction)) length++;
    else {
      const isRun = length >= shortest;
      if (isRun) covered += length - counted;
      const changesDirection = Math.abs(step) === 1;
      counted = isRun && changesDirection ? 1 : 0;
      length = position === undefined ? 0 : changesDirection ? 2 : 1;
    }
    direction = step;
    previous = position;
  }
  return covered;
}
