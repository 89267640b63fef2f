import { z } from 'zod';
import { redirectProblem } from '../../domain/survey/settings/redirects.ts';
import { endInZone, surveyMoment } from '../../http/moment-text.ts';
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

/** What a link is made with, and what of it can be changed. */
export const linkFields = {
  link_name: z.string().trim().min(1).max(200).optional(),
  link_quota: z
    .int()
    .min(1)
    .max(MAX_QUOTA)
    .nullish()
    .describe(
      'The most responses that may complete through it, null: no limit. One that was begun holds a place for 15 minutes after its ' +
        'last activity. A unique link is for one complete response, and being begun twice',
    ),
  expires_at: surveyMoment
    .nullish()
    .describe('No response can start after it; a plain date counts whole, in the time zone of the survey'),
  wave_id: idNumber
    .nullish()
    .describe('A wave of the survey: it is then open while that wave is. null: while any of them is'),
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
      'Where respondents go when they have ended; `default` serves ends without an address of their own, and without it the ' +
        "survey's redirect_url. {{external_id}} in an address becomes the respondent's",
    ),
};

export const newLinkSchema = z.strictObject({
  link_type: linkType.default('open'),
  ...linkFields,
  link_name: linkFields.link_name.describe('Default: after its type'),
});

/** By what lists of links are narrowed. */
export const linkFilters = {
  link_type: linkType.optional(),
  link_status: linkStatus.optional().describe('As it is now'),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('A part of the name, ignoring case, or a link_token'),
};

const DEFAULT_NAMES = { open: 'Open link', unique: 'Unique link', panel: 'Panel link' } as const;

/** `zone`: the survey's. */
export function newLink(body: z.output<typeof newLinkSchema>, zone: TimeZone): NewLink {
  return {
    type: body.link_type,
    name: body.link_name ?? DEFAULT_NAMES[body.link_type],
    quota: body.link_quota ?? null,
    expiresAt: endInZone(body.expires_at ?? null, zone),
    redirects: body.redirects ?? {},
    waveId: body.wave_id ?? null,
  };
}
