export type Pipe =
  | { kind: 'question'; code: string; form: 'label' | 'code' }
  | { kind: 'hidden'; name: string }
  | { kind: 'attribute'; name: string }
  | { kind: 'respondent'; field: 'name' };

/** An attribute's name as domain/respondents/attributes.ts allows it. */
const ATTRIBUTE = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_ .\-]{0,58}[\p{L}\p{M}\p{N}_])?`;
const PIPE = new RegExp(
  String.raw`\{\{\s*(?:hidden\.(?<hidden>[A-Za-z0-9_.\-]{1,64})|attribute\.(?<attribute>${ATTRIBUTE})|respondent\.(?<field>name)` +
    String.raw`|(?<code>[A-Za-z][A-Za-z0-9_]{0,47})(?<form>:code)?)\s*\}\}`,
  'gu',
);

type Groups = Partial<Record<'hidden' | 'attribute' | 'field' | 'code' | 'form', string>>;

function pipeOf({ hidden, attribute, field, code, form }: Groups): Pipe {
  if (hidden !== undefined) return { kind: 'hidden', name: hidden };
  if (attribute !== undefined) return { kind: 'attribute', name: attribute };
  if (field !== undefined) return { kind: 'respondent', field: 'name' };
  return { kind: 'question', code: code!, form: form === undefined ? 'label' : 'code' };
}

/**
 * The pipes in a text, or in the texts within a list or an object: `{{Q1}}` (label), `{{Q1:code}}`, `{{hidden.name}}`,
 * `{{attribute.name}}`, `{{respondent.name}}`. Other words in braces are plain text.
 */
export function pipesIn(value: unknown): Pipe[] {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return [];
    return [...value.matchAll(PIPE)].map(({ groups }) => pipeOf(groups!));
  }
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(pipesIn);
  return [];
}

/** The text with its pipes filled in; what a pipe asks for is plain text too, and is not looked through again. */
export function fillPipes(text: string, valueOf: (pipe: Pipe) => string): string {
  if (!text.includes('{{')) return text;
  // The groups are the last that a replacer is given.
  return text.replace(PIPE, (...found: unknown[]) => valueOf(pipeOf(found.at(-1) as Groups)));
}
