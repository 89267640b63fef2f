export type Pipe =
  { kind: 'question'; code: string; form: 'label' | 'code' } | { kind: 'hidden'; name: string };

const PIPE = /\{\{\s*(?:hidden\.([A-Za-z0-9_.-]{1,64})|([A-Za-z][A-Za-z0-9_]{0,47})(:code)?)\s*\}\}/g;

function pipeOf(hidden: string | undefined, code: string | undefined, form: string | undefined): Pipe {
  return hidden !== undefined
    ? { kind: 'hidden', name: hidden }
    : { kind: 'question', code: code!, form: form === undefined ? 'label' : 'code' };
}

/**
 * The pipes in a text, or in the texts within a list or an object: `{{Q1}}` (label), `{{Q1:code}}`, `{{hidden.name}}`.
 * Other words in braces are plain text.
 */
export function pipesIn(value: unknown): Pipe[] {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return [];
    return [...value.matchAll(PIPE)].map(([, hidden, code, form]) => pipeOf(hidden, code, form));
  }
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(pipesIn);
  return [];
}

/** The text with its pipes filled in; what a pipe asks for is plain text too, and is not looked through again. */
export function fillPipes(text: string, valueOf: (pipe: Pipe) => string): string {
  if (!text.includes('{{')) return text;
  return text.replace(PIPE, (_whole, hidden?: string, code?: string, form?: string) =>
    valueOf(pipeOf(hidden, code, form)),
  );
}
