import { z } from 'zod';
import { sizeAtMost } from '../../lib/error-messages.ts';
import type { SurveyDefinition } from './definition.ts';
import { hiddenNamesIn } from './logic/referenced-values.ts';

/** Values of the link by name, as a client sends them. */
export type HiddenValueRecord = Readonly<Record<string, string>>;

export const MAX_HIDDEN_VALUES = 50;
export const MAX_HIDDEN_VALUE_CHARACTERS = 500;

export const hiddenNameSchema = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_]{0,47}$/,
    'must start with a letter and contain only letters, digits and underscores, at most 48',
  );

/** The names that an author declares: their values are stored although nothing in the survey uses them. */
export const declaredHiddenNamesSchema = z
  .array(hiddenNameSchema)
  .max(MAX_HIDDEN_VALUES, sizeAtMost(MAX_HIDDEN_VALUES, 'name'))
  .refine((names) => new Set(names).size === names.length, 'must not contain a name twice');

/** Published definitions are cached and never change, so each is searched once. */
const namesByDefinition = new WeakMap<SurveyDefinition, ReadonlySet<string>>();

function hiddenNamesOfDefinition(definition: SurveyDefinition): ReadonlySet<string> {
  const names = namesByDefinition.get(definition) ?? hiddenNamesIn(definition);
  namesByDefinition.set(definition, names);
  return names;
}

/** Where the names of a survey's hidden values are. */
export interface HiddenValueUses {
  definition: SurveyDefinition;
  /** The settings of the survey: their texts, and the names that they declare. */
  settings: { anonymous: boolean; hidden_values: readonly string[] };
  /** Quotas, or anything else with conditions. */
  quotas: unknown;
}

/**
 * Returns the names of the values that a response of the survey stores: those that its settings declare, and those that conditions, rules,
 * texts, translations and quotas use. All other values are dropped. An anonymous survey stores only declared ones: a value that its link
 * happens to have can name the respondent.
 */
export function storedHiddenNames({ definition, settings, quotas }: HiddenValueUses): Set<string> {
  if (settings.anonymous) return new Set(settings.hidden_values);
  return new Set([
    ...settings.hidden_values,
    ...hiddenNamesOfDefinition(definition),
    ...hiddenNamesIn([settings, quotas]),
  ]);
}

/** Returns the values whose names are in the set; null: none. */
export function keepHiddenValues(
  values: HiddenValueRecord,
  names: ReadonlySet<string>,
): Record<string, string> | null {
  const kept = Object.entries(values).filter(([name]) => names.has(name));
  return kept.length === 0 ? null : Object.fromEntries(kept);
}
