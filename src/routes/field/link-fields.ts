import { z } from 'zod';
import { redirectProblem } from '../../domain/survey/settings/survey-settings.ts';
import { resolveEnd, surveyTimestamp } from '../../http/timestamp-schemas.ts';
import { idNumber } from '../../http/paging.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import type { NewLink } from '../../repositories/links.ts';
import { linkStatus, linkType } from '../link-reply.ts';

const MAX_QUOTA = 100_000_000;

const redirect = z
  .string()
  .superRefine((template, context) => {
    const message = redirectProblem(template);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .nullable()
  .optional();

/** Fields of a link that can be set at creation and changed. */
export const linkFields = {
  link_name: z.string().trim().min(1).max(200).optional(),
  link_quota: z
    .int()
    .min(1)
    .max(MAX_QUOTA)
    .nullish()
    .describe(
      'Maximum number of complete responses; null: no limit. A started response reserves a place for 15 minutes after its last activity. A ' +
        'unique link allows one complete response and can be started twice',
    ),
  expires_at: surveyTimestamp
    .nullish()
    .describe(
      'No response can start after this time. A date without a time includes that day in the time zone of the survey',
    ),
  wave_id: idNumber
    .nullish()
    .describe(
      'A wave of the survey: the link is open while that wave is active. null: while any wave is active',
    ),
  redirects: z
    .strictObject({
      complete: redirect,
      screen_out: redirect,
      over_quota: redirect,
      quality: redirect,
      default: redirect,
    })
    .nullish()
    .describe(
      'Where respondents are redirected at the end. `default` applies to outcomes without a redirect, then the redirect_url of the survey. ' +
        '{{external_id}} in a URL is replaced with that of the respondent',
    ),
};

export const newLinkSchema = z.strictObject({
  link_type: linkType.default('open'),
  ...linkFields,
  link_name: linkFields.link_name.describe('Default: derived from the type, such as "Open link"'),
});

/** Filters of link lists. */
export const linkFilters = {
  link_type: linkType.optional(),
  link_status: linkStatus.optional().describe('Current status'),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the name, ignoring case, or a whole link_token'),
};

const DEFAULT_NAMES = { open: 'Open link', unique: 'Unique link', panel: 'Panel link' } as const;

/** `zone`: time zone of the survey. */
export function newLink(body: z.output<typeof newLinkSchema>, zone: TimeZone): NewLink {
  return {
    type: body.link_type,
    name: body.link_name ?? DEFAULT_NAMES[body.link_type],
    quota: body.link_quota ?? null,
    expiresAt: resolveEnd(body.expires_at ?? null, zone),
    redirects: body.redirects ?? {},
    waveId: body.wave_id ?? null,
  };
}
