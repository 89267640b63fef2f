import { z } from 'zod';
import { QUESTION_TYPES, questionSettingsSchemas } from '../../domain/questions/registry.ts';

type Shape = Record<string, z.core.$ZodType>;

/** Set by data file imports for exports to write back; not documented as a setting. */
const UNDOCUMENTED_SETTING = 'variable';

/** A setting with its values and its default: `` `max` (default 5) ``, `` `shuffle` (none, random) ``. */
function describeSetting(name: string, schema: z.core.$ZodType, defaultValue?: unknown): string {
  if (schema instanceof z.ZodDefault)
    return describeSetting(name, schema.def.innerType, schema.def.defaultValue);
  if (schema instanceof z.ZodNullable) return describeSetting(name, schema.def.innerType, defaultValue);
  if (schema instanceof z.ZodEnum) return `\`${name}\` (${schema.options.join(', ')})`;
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject)
    return `\`${name}\` (list of {${Object.keys(schema.element.shape).join(', ')}})`;
  return typeof defaultValue === 'number' ? `\`${name}\` (default ${defaultValue})` : `\`${name}\``;
}

/** Markdown list of the settings of every question type, read from the schemas: common settings first, then a line per type. */
export function describeQuestionSettings(): string {
  const shapes = QUESTION_TYPES.map((type) => ({
    type,
    shape: questionSettingsSchemas[type].shape,
  }));
  const isCommon = (name: string) => shapes.every(({ shape }) => name in shape);
  const list = (shape: Shape, wanted: (name: string) => boolean) =>
    Object.entries(shape)
      .filter(([name]) => wanted(name))
      .map(([name, schema]) => describeSetting(name, schema))
      .join(', ');
  const common = list(shapes[0]!.shape, (name) => isCommon(name) && name !== UNDOCUMENTED_SETTING);
  const byType = shapes.map(({ type, shape }) => `- **${type}**: ${list(shape, (name) => !isCommon(name))}`);
  return [
    '**Settings by type**\n',
    `- **all types**: ${common}`,
    ...byType,
    '\nThe columns of a matrix are its options. `measure` defaults to nominal, for a matrix to ordinal (it then applies to the rows of ' +
      'matrix_type single), and can change at any time. Means, standard deviations, quantiles and tests of means are computed for ordinal ' +
      'and scale measures only.',
  ].join('\n');
}
