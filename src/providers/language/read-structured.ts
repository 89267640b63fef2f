import type { z } from 'zod';

type ReadResult<T> = { value: T } | { problems: string[] };

/** What a model wrote, as the schema says, or what is wrong with it in our words. */
export function readStructured<S extends z.ZodType>(schema: S, text: string): ReadResult<z.output<S>> {
  const found = findJson(text);
  if (found === undefined) return { problems: ['It is not JSON.'] };
  const parsed = schema.safeParse(found);
  if (parsed.success) return { value: parsed.data };
  return {
    problems: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'The whole'}: ${message}`),
  };
}

/** Servers that are not held to JSON put it between fences, or after what the model thought, or among words. */
function findJson(text: string): unknown {
  const answer = text.replace(/^\s*<think>[^]*?<\/think>/, '').trim();
  for (const candidate of [answer, fencedBlock(answer), outermostObject(answer)]) {
    if (candidate === null) continue;
    try {
      return JSON.parse(candidate);
    } catch {
      // The next one may be it.
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
