import type { FieldProblem } from '../../shared/client/api-error.ts';

/** Returns the first problem of each question by its code; `answers.Q3.r1` belongs to Q3. */
export function problemsByQuestion(problems: readonly FieldProblem[]): Map<string, string> {
  const byCode = new Map<string, string>();
  for (const { field, message } of problems) {
    const code = /^answers\.([A-Za-z][A-Za-z0-9_]*)/.exec(field)?.[1];
    if (code !== undefined && !byCode.has(code)) byCode.set(code, sentence(message));
  }
  return byCode;
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.');
}
