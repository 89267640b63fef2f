import { z } from 'zod';
import { commonSettings, textSetting } from '../common-settings.ts';

/** Settings of questions that show a list of options. */
export const choiceSettings = z.strictObject({
  ...commonSettings,
  display: z.enum(['list', 'buttons', 'cards']).default('list').describe('How the options are displayed'),
  other_label: textSetting()
    .nullable()
    .default(null)
    .describe(
      "Label of the text box of an `option_other`; null: a standard text in the respondent's language",
    ),
  columns: z.int().min(1).max(6).default(1).describe('Number of columns in which the options are displayed'),
  searchable: z
    .boolean()
    .default(false)
    .describe('Whether respondents get a search box that filters the options by label'),
});
