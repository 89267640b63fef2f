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
 * The delimiter of the beginning of a CSV file: the one that the header has and that most lines have as often as the header; of
 * several, the one the header has most. A comma where there is none: the file has one column.
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
