import type { Attributes } from '../../respondents/attributes.ts';
import { findPipes } from './piping.ts';

/** Values that came with the link, by name. */
export type HiddenValues = ReadonlyMap<string, string>;

/** The respondent of a personal link, limited to what conditions and texts refer to. */
export interface RespondentProfile {
  name: string | null;
  attributes: Attributes;
}

/** Data about a respondent besides the answers. */
export interface RespondentContext {
  hidden: HiddenValues;
  /** null: the respondent is anonymous. */
  respondent: RespondentProfile | null;
}

export const NO_RESPONDENT_CONTEXT: RespondentContext = { hidden: new Map(), respondent: null };

/**
 * Picks the name and attributes that a survey's conditions and texts refer to, so that the browser receives nothing else.
 *
 * @param parts objects that contain conditions and texts, such as pages and translations
 */
export function pickReferencedProfile(facts: RespondentProfile, parts: unknown): RespondentProfile {
  const pipes = findPipes(parts);
  const names = attributesInConditions(parts);
  for (const pipe of pipes) if (pipe.kind === 'attribute') names.add(pipe.name);
  return {
    name: pipes.some(({ kind }) => kind === 'respondent') ? facts.name : null,
    attributes: Object.fromEntries(Object.entries(facts.attributes).filter(([name]) => names.has(name))),
  };
}

function attributesInConditions(part: unknown, found = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return found;
  const { left } = part as { left?: unknown };
  if (typeof left === 'object' && left !== null && isAttribute(left)) found.add(left.code);
  for (const inner of Object.values(part)) attributesInConditions(inner, found);
  return found;
}

const isAttribute = (left: object): left is { type: 'attribute'; code: string } =>
  'type' in left && left.type === 'attribute' && 'code' in left && typeof left.code === 'string';
