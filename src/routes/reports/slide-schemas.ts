import { z } from 'zod';
import { slideContentShapes } from '../../domain/reports/slide-content.ts';
import { SLIDE_TYPES, type SlideType } from '../../domain/reports/slide-types.ts';
import { anyChartConfig, figureChartConfig } from '../chart-schemas.ts';

const contents = slideContentShapes({ figures: figureChartConfig, numbers: anyChartConfig });

/** `key-figures` becomes `KeyFigures` in schema names. */
function pascalCase(type: SlideType): string {
  return type.replace(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase());
}

const contentOf = Object.fromEntries(
  SLIDE_TYPES.map((type) => [type, contents[type].meta({ id: `${pascalCase(type)}SlideContent` })]),
) as unknown as Record<SlideType, z.ZodType>;

/** The type for presenters. Only the schema checks that type and content match. */
interface SlideFields {
  slide_type: z.ZodEnum<{ [Type in SlideType]: Type }>;
  slide_content: z.ZodType<Record<string, unknown>, Record<string, unknown>>;
}

/** A slide, discriminated by `slide_type`; the type decides the form of `slide_content`. */
export function slideUnion<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  const members = SLIDE_TYPES.map((type) =>
    z
      .strictObject({ ...shape, slide_type: z.literal(type), slide_content: contentOf[type] })
      .meta({ id: `${pascalCase(type)}${id}` }),
  );
  return z.discriminatedUnion('slide_type', members as [never]).meta({ id }) as unknown as z.ZodType<
    z.output<z.ZodObject<Shape & SlideFields>>,
    z.input<z.ZodObject<Shape & SlideFields>>
  >;
}

/** The content of a slide without a `slide_type` next to it; for the API document only. */
export const anySlideContent = z
  .union(SLIDE_TYPES.map((type) => contentOf[type]) as [z.ZodType, z.ZodType])
  .meta({ id: 'SlideContent' });
