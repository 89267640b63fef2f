import type { RespondentProfile } from '../prepared-definition.ts';
import { contextNamesIn } from './expression-names.ts';
import { findPipes } from './piping.ts';
import { readPreviousCode } from '../previous-codes.ts';

/**
 * Picks the name and attributes that a survey's conditions, expressions and texts refer to, so that the browser receives nothing else.
 *
 * @param parts objects that contain conditions and texts, such as pages and translations
 */
export function pickReferencedProfile(facts: RespondentProfile, parts: unknown): RespondentProfile {
  const pipes = findPipes(parts);
  const names = namesInLogic(parts, 'attribute');
  for (const pipe of pipes) if (pipe.kind === 'attribute') names.add(pipe.name);
  return {
    name: pipes.some(({ kind }) => kind === 'respondent') ? facts.name : null,
    attributes: Object.fromEntries(Object.entries(facts.attributes).filter(([name]) => names.has(name))),
  };
}

/**
 * Returns the names of the hidden values that conditions, expressions and texts refer to.
 *
 * @param parts objects that contain conditions and texts, such as pages, translations and quotas
 */
export function hiddenNamesIn(parts: unknown): Set<string> {
  const names = namesInLogic(parts, 'hidden');
  for (const pipe of findPipes(parts)) if (pipe.kind === 'hidden') names.add(pipe.name);
  return names;
}

/**
 * Returns the codes of the earlier survey that conditions and texts refer to, and the names of the columns that expressions do.
 *
 * @param parts objects that contain conditions and texts, such as pages, blocks and settings
 */
export function previousNamesIn(parts: unknown): Set<string> {
  const names = namesInLogic(parts, 'previous');
  for (const pipe of findPipes(parts)) {
    const code = pipe.kind === 'question' ? readPreviousCode(pipe.code) : null;
    if (code !== null) names.add(code);
  }
  return names;
}

/** Finds conditions and expressions wherever they are, so that a new place for them cannot be forgotten. */
function namesInLogic(
  part: unknown,
  type: 'attribute' | 'hidden' | 'previous',
  found = new Set<string>(),
): Set<string> {
  if (typeof part !== 'object' || part === null) return found;
  const { left, expression } = part as { left?: unknown; expression?: unknown };
  if (typeof left === 'object' && left !== null && isNameOf(left, type)) found.add(left.code);
  if (typeof expression === 'string')
    for (const name of contextNamesIn(expression)) if (name.type === type) found.add(name.code);
  for (const inner of Object.values(part)) namesInLogic(inner, type, found);
  return found;
}

const isNameOf = (left: object, type: string): left is { code: string } =>
  'type' in left && left.type === type && 'code' in left && typeof left.code === 'string';
