/** `00:01.500 --> 00:04.000`, with hours if there are any, and settings after it. */
const TIMING =
  /^((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]+-->[ \t]+((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})(?:[ \t].*)?$/;
const MILLISECOND_MARK = 1_000;

/** Returns why a text is no WebVTT file with captions; null if it is one. */
export function captionsProblem(text: string): string | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  if (!/^WEBVTT(?:[ \t].*)?$/.test(lines[0] ?? '')) return 'must begin with a line WEBVTT';
  let cues = 0;
  for (const [index, line] of lines.entries()) {
    if (!line.includes('-->')) continue;
    const [, start, end] = TIMING.exec(line.trim()) ?? [];
    if (start === undefined || end === undefined)
      return `line ${index + 1} must be a time such as 00:01.000 --> 00:04.000`;
    if (millisecondsOf(start) >= millisecondsOf(end)) return `line ${index + 1} ends before it begins`;
    cues++;
  }
  return cues === 0 ? 'must have at least one caption with its time, such as 00:01.000 --> 00:04.000' : null;
}

function millisecondsOf(time: string): number {
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round(seconds * MILLISECOND_MARK);
}
