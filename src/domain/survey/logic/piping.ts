import { closeGaps } from '../../../lib/close-gaps.ts';

export type Pipe = (
  | { kind: 'question'; code: string; form: 'label' | 'code' }
  | { kind: 'hidden'; name: string }
  | { kind: 'attribute'; name: string }
  | { kind: 'respondent'; field: 'name' }
  | { kind: 'arm'; name: string }
  /** Of the item of a loop; loops fill it when they are written out (expandLoops). */
  | { kind: 'item'; name: string }
) & {
  /** Shown if there is no value or answer; absent: an empty text is shown. */
  fallback?: string;
};

/** An attribute's name as domain/respondents/attributes.ts allows it. */
const ATTRIBUTE = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_ .\-]{0,58}[\p{L}\p{M}\p{N}_])?`;
/** Of a question or block in a loop: `Q5[A]`. */
const ITEM = String.raw`(?:\[[A-Za-z0-9_\-]{1,20}\])?`;
const PIPE = new RegExp(
  String.raw`\{\{\s*(?:hidden\.(?<hidden>[A-Za-z0-9_.\-]{1,64})|attribute\.(?<attribute>${ATTRIBUTE})|respondent\.(?<field>name)|arm\.(?<arm>[A-Za-z][A-Za-z0-9_]{0,47}${ITEM})|item\.(?<item>[A-Za-z][A-Za-z0-9_]{0,47})` +
    String.raw`|(?<code>(?:previous\.)?[A-Za-z][A-Za-z0-9_]{0,47}${ITEM})(?<form>:code)?)\s*(?:\|(?<fallback>[^{}|]{0,200}))?\}\}`,
  'gu',
);

type Groups = Partial<
  Record<'hidden' | 'attribute' | 'field' | 'arm' | 'item' | 'code' | 'form' | 'fallback', string>
>;

function pipeOf({ hidden, attribute, field, arm, item, code = '', form, fallback }: Groups): Pipe {
  const fallbackPart = fallback === undefined ? {} : { fallback: fallback.trim() };
  if (hidden !== undefined) return { kind: 'hidden', name: hidden, ...fallbackPart };
  if (attribute !== undefined) return { kind: 'attribute', name: attribute, ...fallbackPart };
  if (field !== undefined) return { kind: 'respondent', field: 'name', ...fallbackPart };
  if (arm !== undefined) return { kind: 'arm', name: arm, ...fallbackPart };
  if (item !== undefined) return { kind: 'item', name: item, ...fallbackPart };
  return { kind: 'question', code, form: form === undefined ? 'label' : 'code', ...fallbackPart };
}

/**
 * Finds the pipes in a text, or in the texts within a list or an object: `{{Q1}}` (label), `{{Q1:code}}`, `{{hidden.name}}`,
 * `{{attribute.name}}`, `{{respondent.name}}`, `{{arm.BLOCK}}` (label), `{{item.label}}`, `{{previous.Q1}}`, each optionally with a default: `{{hidden.name|friend}}`. Other braces are plain text.
 */
export function findPipes(value: unknown): Pipe[] {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return [];
    return [...value.matchAll(PIPE)].map(({ groups }) => pipeOf(groups ?? {}));
  }
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(findPipes);
  return [];
}

/**
 * Fills pipes in a text; an empty value becomes the pipe's default, and without one leaves no gap before punctuation. Filled text is not
 * searched for pipes.
 */
export function fillPipes(text: string, valueOf: (pipe: Pipe) => string): string {
  if (!text.includes('{{')) return text;
  const pieces: string[] = [];
  let end = 0;
  for (const found of text.matchAll(PIPE)) {
    const pipe = pipeOf(found.groups ?? {});
    pieces.push(text.slice(end, found.index), valueOf(pipe) || (pipe.fallback ?? ''));
    end = found.index + found[0].length;
  }
  return closeGaps([...pieces, text.slice(end)]).join('');
}

/** Replaces a pipe by its name in brackets: `[Q1]`, `[name]`. */
function bracketedName(pipe: Pipe): string {
  if (pipe.kind === 'question') return `[${pipe.code}]`;
  if (pipe.kind === 'item' && pipe.name === 'label') return '[item]';
  return `[${pipe.kind === 'respondent' ? pipe.field : pipe.name}]`;
}

/**
 * Replaces pipes by names in brackets: `{{Q1}}` by the text of Q1, `{{hidden.name}}` by `[name]`. Pipes within a replaced text become
 * codes, so references in a cycle end.
 */
export function withNamedPipes(text: string, textOf: (code: string) => string | undefined): string {
  return fillPipes(text, (pipe) => {
    const questionText = pipe.kind === 'question' ? textOf(pipe.code) : undefined;
    return questionText === undefined ? bracketedName(pipe) : `[${fillPipes(questionText, bracketedName)}]`;
  });
}
