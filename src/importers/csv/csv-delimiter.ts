const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_LINES = 50;

/** Counts each delimiter outside of quotes, by line. */
function countDelimiters(text: string): Map<string, number>[] {
  const lines: Map<string, number>[] = [];
  let counts = new Map<string, number>();
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n') {
      lines.push(counts);
      if (lines.length === SAMPLE_LINES) return lines;
      counts = new Map();
    } else if (DELIMITERS.includes(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  if (lines.length === 0) lines.push(counts);
  return lines;
}

/**
 * Detects the delimiter from the beginning of a CSV file: the one that occurs as often in the header as in most lines, and among several
 * the most frequent one in the header. Returns a comma if none occurs, for a file with one column.
 */
export function detectDelimiter(beginning: string): string {
  const [header, ...lines] = countDelimiters(beginning);
  let best = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const inHeader = header?.get(delimiter) ?? 0;
    if (inHeader === 0) continue;
    const matching = lines.filter((counts) => (counts.get(delimiter) ?? 0) === inHeader).length;
    const score = (1 + matching) * (1 + inHeader / 10_000);
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}
