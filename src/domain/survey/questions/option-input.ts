import { z } from 'zod';
import { isHttpUrl } from '../settings/http-url.ts';

export const MAX_OPTIONS = 1_000;

const label = z.string().trim().min(1).max(1_000);
const flag = z.boolean().optional();

/** An option as a client writes it: the label alone, or the label with what else is to be said. */
export const optionInputSchema = z.union([
  label,
  z.strictObject({
    option_code: z.int32().optional(),
    option_label: label,
    /** Defaults to the label. */
    option_value: z.union([z.string().trim().min(1).max(1_000), z.int()]).optional(),
    option_order: z.int32().optional(),
    option_image: z.string().refine(isHttpUrl, 'must be an http or https address').nullable().optional(),
    option_exclusive: flag,
    option_other: flag,
    option_anchor: flag,
    option_missing: flag,
    /** Read-only. A retired option that is sent without it is offered again. */
    retired: flag,
  }),
]);

export const optionInputsSchema = z.array(optionInputSchema).max(MAX_OPTIONS);

export type OptionInput = z.infer<typeof optionInputSchema>;
