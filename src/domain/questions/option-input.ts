import { z } from 'zod';
import { IMAGE_ADDRESS_RULE, isImageAddress } from './image-address.ts';

export const MAX_OPTIONS = 1_000;

const label = z.string().trim().min(1).max(1_000);
const flag = z.boolean().optional();

/** An option in a request: a label, or an object. */
export const optionInputSchema = z.union([
  label,
  z.strictObject({
    option_code: z
      .int32()
      .optional()
      .describe(
        'Number of the option in translations and names of columns. A code that is sent for a new option is kept, or refused if another option has it. Default: an integer `option_value`, else the next free number',
      ),
    option_label: label,
    option_value: z
      .union([z.string().trim().min(1).max(1_000), z.number()])
      .optional()
      .describe(
        'Answers and conditions have this value. A number ("4", 0.5) is also what means, boxes, expressions and statistics files use. Default: the label',
      ),
    option_order: z
      .int32()
      .optional()
      .describe('Sorts the options, lowest first. Default: the place in the list'),
    option_image: z
      .string()
      .refine(isImageAddress, IMAGE_ADDRESS_RULE)
      .nullable()
      .optional()
      .describe(
        'Address of an image shown with the label: an http or https address, or that of an uploaded image',
      ),
    option_exclusive: flag.describe(
      'Of a multiple choice: selecting it clears the other options, such as "None of these"',
    ),
    option_other: flag.describe(
      'Shows a text box when selected, such as "Other, please specify". The text is optional, its answer is `{"value": …, "other": "text"}`, its column `<question_code>_other`',
    ),
    option_anchor: flag.describe('Keeps its place when `shuffle` changes the order'),
    option_missing: flag.describe('Its answers are missing values in figures, such as "Prefer not to say"'),
    retired: flag.describe('Read-only. A retired option that is sent without it is offered again'),
  }),
]);

export const optionInputsSchema = z.array(optionInputSchema).max(MAX_OPTIONS);

export type OptionInput = z.infer<typeof optionInputSchema>;
