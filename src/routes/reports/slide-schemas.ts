import { z } from 'zod';
import { slideContentShapes } from '../../domain/reports/slide-content.ts';
import { SLIDE_TYPES, type SlideType } from '../../domain/reports/slide-types.ts';
import { anyChartConfig, figureChartConfig } from '../chart-schemas.ts';

const contents = slideContentShapes({ figures: figureChartConfig, numbers: anyChartConfig });

/** `key-figures` is `KeyFigures` in the names of schemas. */
function pascalCase(type: SlideType): string {
  return type.replace(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase());
}

const contentOf = Object.fromEntries(
  SLIDE_TYPES.map((type) => [type, contents[type].meta({ id: `${pascalCase(type)}SlideContent` })]),
) as unknown as Record<SlideType, z.ZodType>;

/** What a reply of a slide holds; that content and type go together, the schema checks. */
interface SlideFields {
  slide_type: z.ZodEnum<{ [Type in SlideType]: Type }>;
  slide_content: z.ZodType<Record<string, unknown>, Record<string, unknown>>;
}

/** A slide, discriminated by `slide_type`, which decides what `slide_content` is. */
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

/** The content of a slide whose type is not named beside it, for the API document. */
export const anySlideContent = z
  .union(SLIDE_TYPES.map((type) => contentOf[type]) as [z.ZodType, z.ZodType])
  .meta({ id: 'SlideContent' });
