import type { z } from 'zod';

type ReadResult<T> = { value: T } | { problems: string[] };

/** Parses the reply of a model with the schema. Returns the value, or the problems for a repair prompt. */
export function readStructured<S extends z.ZodType>(schema: S, text: string): ReadResult<z.output<S>> {
  const found = findJson(text);
  if (found === undefined) return { problems: ['It is not JSON.'] };
  const parsed = schema.safeParse(found);
  if (parsed.success) return { value: parsed.data };
  return {
    problems: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'The reply'}: ${message}`),
  };
}

/** Models without a JSON mode may put the JSON into a code block, after their reasoning, or inside prose. */
function findJson(text: string): unknown {
  const answer = text.replace(/^\s*<think>[^]*?<\/think>/, '').trim();
  for (const candidate of [answer, fencedBlock(answer), outermostObject(answer)]) {
    if (candidate === null) continue;
    try {
      return JSON.parse(candidate);
    } catch {
      // Try the next candidate.
    }
  }
  return undefined;
}

function fencedBlock(text: string): string | null {
  const start = text.indexOf('```');
  const end = text.lastIndexOf('```');
  if (start < 0 || end <= start) return null;
  return text.slice(start + 3, end).replace(/^[a-z]*\s/i, '');
}

function outermostObject(text: string): string | null {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return start < 0 || end < start ? null : text.slice(start, end + 1);
}
