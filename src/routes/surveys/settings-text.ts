import { z } from 'zod';
import { questionSettingsSchemas } from '../../domain/survey/questions/question-settings.ts';
import { QUESTION_TYPES } from '../../domain/survey/questions/question-types.ts';

type Shape = Record<string, z.core.$ZodType>;

/** What the import of a file notes for exports to give back: nobody sets it by hand. */
const NOT_TOLD = 'variable';

/** What a setting may be and what it is unless given, in a few characters: `max(5)`, `shuffle(none|random)`. */
function settingText(name: string, schema: z.core.$ZodType, preset?: unknown): string {
  if (schema instanceof z.ZodDefault) return settingText(name, schema.def.innerType, schema.def.defaultValue);
  if (schema instanceof z.ZodNullable) return settingText(name, schema.def.innerType, preset);
  if (schema instanceof z.ZodEnum) return `${name}(${schema.options.join('|')})`;
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject)
    return `${name} [{${Object.keys(schema.element.shape).join(', ')}}]`;
  return typeof preset === 'number' ? `${name}(${preset})` : name;
}

/** Every type's settings, as its schema has them: first what all take, then what is each type's own. */
export function settingsText(): string {
  const shapes = QUESTION_TYPES.map((type) => ({
    type,
    shape: questionSettingsSchemas[type].shape,
  }));
  const isCommon = (name: string) => shapes.every(({ shape }) => name in shape);
  const list = (shape: Shape, wanted: (name: string) => boolean) =>
    Object.entries(shape)
      .filter(([name]) => wanted(name))
      .map(([name, schema]) => settingText(name, schema))
      .join(', ');
  const common = list(shapes[0]!.shape, (name) => isCommon(name) && name !== NOT_TOLD);
  const own = shapes.map(({ type, shape }) => `${type} \`${list(shape, (name) => !isCommon(name))}\``);
  return (
    `Settings by type: all \`${common}\`; ${own.join('; ')}. The columns of a matrix are its options. \`measure\` is nominal by default ` +
    '(ordinal for a matrix, where it applies to the rows of matrix_type single) and may change at any time: means, standard deviations, ' +
    'quantiles and tests of means are computed for ordinal and scale answers only.'
  );
}
