/** Returns the Levenshtein distance of two short texts, or Infinity if it exceeds `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) > limit) return Infinity;
    previous = current;
  }
  return previous[b.length] ?? Infinity;
}

/** Returns up to three of `codes` similar to `code`, most similar first, ignoring case. */
export function findSimilar(code: string, codes: Iterable<string>): string[] {
  const wanted = code.toLowerCase();
  const limit = Math.max(1, Math.min(3, Math.floor(wanted.length / 3)));
  const similar: { candidate: string; distance: number }[] = [];
  for (const candidate of codes) {
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit) similar.push({ candidate, distance });
  }
  similar.sort((a, b) => a.distance - b.distance);
  return similar.slice(0, 3).map(({ candidate }) => candidate);
}
