import { quote } from '../../lib/quote.ts';
import { attributeNameProblem, type Attributes, lineProblem } from '../respondents/attributes.ts';
import type { EmailBlock, EmailPart } from './invitation-email.ts';

/** The variables of a subject or message, besides {{attribute.name}}. */
const VARIABLES = ['name', 'email', 'survey', 'link', 'unsubscribe'] as const;
type Variable = (typeof VARIABLES)[number] | { attribute: string };

export const VARIABLE_LIST = `{{${VARIABLES.join('}}, {{')}}}, {{attribute.<name>}}`;

/** The values of the variables for one person. */
export interface MessageValues {
  name: string | null;
  email: string;
  attributes: Attributes;
  survey: string;
  /** The personal survey link. */
  link: string;
  unsubscribe: string;
  /** The text of the unsubscribe link. */
  unsubscribeLabel: string;
}

const VARIABLE = /\{\{([^{}]*)\}\}/gu;
const LINK_LINE = /^[\t ]*\{\{[\t ]*link[\t ]*\}\}[\t ]*$/gmu;
/** Characters that are not allowed in a message, apart from line endings and tabs. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** A URL in a message, which can contain variables; excludes punctuation at the end. */
const ADDRESS = /https?:\/\/(?:\{\{[^{}]*\}\}|[^\s<>"{}])*(?:\{\{[^{}]*\}\}|[^\s<>"{}.,;:!?'’”»)\]])/giu;

function parseVariable(inner: string): Variable | null {
  const name = inner.trim();
  const known = VARIABLES.find((variable) => variable === name);
  if (known !== undefined) return known;
  if (!name.startsWith('attribute.')) return null;
  const attribute = name.slice('attribute.'.length);
  return attributeNameProblem(attribute) === null ? { attribute } : null;
}

/** Returns the problems of a subject or message; empty if it is valid. */
export function templateProblems(text: string, target: 'subject' | 'message'): string[] {
  const problems: string[] = [];
  if (target === 'subject') {
    const message = lineProblem(text);
    if (message !== null) problems.push(message);
  } else if (CONTROL.test(text.replace(/\r\n|[\n\t]/g, ''))) {
    problems.push('must not contain control characters other than line breaks and tabs');
  } else if (!text.isWellFormed()) {
    problems.push('contains a lone surrogate, which is not a character');
  }
  const inner = [...text.matchAll(VARIABLE)].map((found) => found[1]!);
  const unknown = [...new Set(inner.filter((one) => parseVariable(one) === null))];
  if (unknown.length > 0) {
    const unknownVariables = unknown.slice(0, 10).map((one) => quote(`{{${one}}}`));
    problems.push(`has unknown variables: ${unknownVariables.join(', ')}; accepted: ${VARIABLE_LIST}`);
  }
  if (/\{\{|\}\}/.test(text.replace(VARIABLE, ''))) problems.push('has {{ or }} without the other');
  if (target === 'subject' && inner.some((one) => ['link', 'unsubscribe'].includes(one.trim())))
    problems.push('cannot hold an address; {{link}} and {{unsubscribe}} belong into the message');
  return problems;
}

/** Whether a text uses a variable that can be missing for a person. */
export const usesVariable = (text: string, variable: 'name'): boolean =>
  [...text.matchAll(VARIABLE)].some((found) => found[1]!.trim() === variable);

function valueOf(inner: string, values: MessageValues): string {
  const variable = parseVariable(inner);
  if (variable === null) return '';
  if (typeof variable === 'string') return values[variable] ?? '';
  const { attribute } = variable;
  return Object.hasOwn(values.attributes, attribute) ? String(values.attributes[attribute]) : '';
}

/** Renders the subject for one person, in one line. */
export function renderSubject(template: string, values: MessageValues): string {
  const filled = template.replace(VARIABLE, (_whole, inner: string) => valueOf(inner, values));
  return filled.replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ').trim() || values.survey;
}

/**
 * Renders the message for one person. Empty lines separate paragraphs, and URLs become links. A line with only {{link}} becomes the button;
 * without any {{link}}, the button is added at the end. Values of variables are always plain text.
 */
export function renderMessage(template: string, values: MessageValues): EmailBlock[] {
  const blocks = template
    .replace(/\r\n?/g, '\n')
    .replace(LINK_LINE, '\n$&\n')
    .split(/\n[\t ]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph): EmailBlock => {
      if (/^\{\{\s*link\s*\}\}$/.test(paragraph)) return { kind: 'button' };
      return {
        kind: 'paragraph',
        parts: paragraph.split('\n').flatMap((line, index) => renderLine(line, values, index)),
      };
    });
  const hasLink = /\{\{\s*link\s*\}\}/.test(template);
  return hasLink ? blocks : [...blocks, { kind: 'button' }];
}

function renderLine(line: string, values: MessageValues, index: number): EmailPart[] {
  const parts: EmailPart[] = index === 0 ? [] : [{ kind: 'line_end' }];
  let end = 0;
  for (const found of line.matchAll(ADDRESS)) {
    parts.push(...fillVariables(line.slice(end, found.index), values));
    const url = found[0].replace(VARIABLE, (_whole, inner: string) =>
      encodeURIComponent(valueOf(inner, values)),
    );
    parts.push({ kind: 'link', text: url, url });
    end = found.index + found[0].length;
  }
  parts.push(...fillVariables(line.slice(end), values));
  return parts;
}

function fillVariables(text: string, values: MessageValues): EmailPart[] {
  const parts: EmailPart[] = [];
  // The odd pieces are the texts between braces.
  text.split(VARIABLE).forEach((piece, index) => {
    if (index % 2 === 0) {
      if (piece !== '') parts.push({ kind: 'text', text: piece });
      return;
    }
    const variable = parseVariable(piece);
    if (variable === 'link') parts.push({ kind: 'link', text: values.link, url: values.link });
    else if (variable === 'unsubscribe')
      parts.push({ kind: 'link', text: values.unsubscribeLabel, url: values.unsubscribe });
    else parts.push({ kind: 'text', text: valueOf(piece, values) });
  });
  return parts;
}
