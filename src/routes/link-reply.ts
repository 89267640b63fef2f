import { z } from 'zod';
import { hasAccess, type WorkspaceScope } from '../domain/access/scopes.ts';
import {
  LINK_STATUSES,
  LINK_TYPES,
  linkLimit,
  linkStatusOf,
  type SurveyStatus,
} from '../domain/survey/status.ts';
import type { LinkRow } from '../repositories/links.ts';

export const linkType = z.enum(LINK_TYPES, { error: 'must be open, unique or panel' });

export const linkStatus = z.enum(LINK_STATUSES, { error: `must be one of ${LINK_STATUSES.join(', ')}` });

const address = z.string().nullable();

/** A link in replies. */
export const LINK_EXAMPLE = {
  link_id: 2,
  survey_id: 1,
  link_type: 'open',
  link_name: 'Newsletter',
  link_token: 'JKQGyGpfMplal5Aoz6zo',
  link_slug: null,
  link_url: 'https://canvass.example.org/s/JKQGyGpfMplal5Aoz6zo',
  link_quota: 500,
  response_count: 120,
  complete_count: 96,
  link_status: 'active',
  wave_id: null,
  expires_at: '2027-12-31T23:59:59.000Z',
  redirects: {
    complete: 'https://panel.example/complete?id={{external_id}}',
    screen_out: null,
    over_quota: null,
    quality: null,
    default: null,
  },
  requires_signature: false,
  signing_key_created_at: null,
  entry_mismatch_count: 0,
  exit_mismatch_count: 0,
  created_at: '2026-09-01T08:00:00.000Z',
};

export const linkSchema = z
  .strictObject({
    link_id: z.int(),
    survey_id: z.int(),
    link_type: linkType,
    link_name: z.string(),
    link_token: z
      .string()
      .nullable()
      .describe('null, like link_url, if link_type is unique and the caller cannot edit the survey'),
    link_slug: z.string().nullable().describe('The readable part of link_url; null: link_url has the token'),
    link_url: z.string().nullable(),
    link_quota: z.int().nullable().describe('Maximum number of complete responses'),
    response_count: z
      .int()
      .nullable()
      .describe(
        'Responses that are neither deleted nor test. null, like complete_count, in an anonymous survey for a unique link and for one with ' +
          'invitations: it would show who answered',
      ),
    complete_count: z.int().nullable(),
    link_status: linkStatus.describe(
      'full (never where the counts are null): the quota of the link or the `response_limit` of the survey is reached. closed: the survey or the wave of the link is not active',
    ),
    wave_id: z.int().nullable().describe('null: the active wave of the survey, if it has waves'),
    expires_at: z.iso.datetime().nullable(),
    redirects: z
      .strictObject({
        complete: address,
        screen_out: address,
        over_quota: address,
        quality: address,
        default: address,
      })
      .describe('Where respondents are redirected at the end; {{external_id}} is replaced with theirs'),
    requires_signature: z
      .boolean()
      .describe('Respondents without a valid signature of the panel are refused; without a key, all are'),
    signing_key_created_at: z.iso
      .datetime()
      .nullable()
      .describe('When the key for signatures was created; null: the link has none'),
    entry_mismatch_count: z.int().describe('Entries without a valid signature, since the link has a key'),
    exit_mismatch_count: z.int().describe('Responses that ended and do not match their entry'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Link', examples: [LINK_EXAMPLE] });

/** The address that a change of the slug leaves as it is, for codes that are printed and pages that embed the survey. */
export const tokenUrl = ({ link_token: token }: Pick<LinkRow, 'link_token'>, baseUrl: string): string =>
  `${baseUrl}/s/${token}`;

const linkUrl = (link: LinkRow, baseUrl: string): string =>
  link.link_slug === null ? tokenUrl(link, baseUrl) : `${baseUrl}/s/${link.link_slug}`;

/** Whether a caller can see the URL. A unique link belongs to one respondent, so it requires edit permission. */
export const canViewLinkUrl = (link: Pick<LinkRow, 'link_type'>, { role }: WorkspaceScope): boolean =>
  link.link_type !== 'unique' || hasAccess(role, 'edit');

export const presentLink = (
  link: LinkRow,
  surveyStatus: SurveyStatus,
  { scope, baseUrl, now }: { scope: WorkspaceScope; baseUrl: string; now: Date },
) => ({
  link_id: link.link_id,
  survey_id: link.survey_id,
  link_type: link.link_type,
  link_name: link.link_name,
  link_token: canViewLinkUrl(link, scope) ? link.link_token : null,
  link_slug: link.link_slug,
  link_url: canViewLinkUrl(link, scope) ? linkUrl(link, baseUrl) : null,
  link_quota: link.link_quota,
  response_count: link.response_count,
  complete_count: link.complete_count,
  link_status: linkStatusOf(
    {
      state: link.link_state,
      quota: linkLimit(link.link_type, link.link_quota),
      completeCount: link.complete_count,
      isSurveyFull: link.is_survey_full,
      expiresAt: link.expires_at,
      inOpenWave: link.in_open_wave,
    },
    surveyStatus,
    now,
  ),
  wave_id: link.wave_id,
  expires_at: link.expires_at?.toISOString() ?? null,
  redirects: {
    complete: link.redirects.complete ?? null,
    screen_out: link.redirects.screen_out ?? null,
    over_quota: link.redirects.over_quota ?? null,
    quality: link.redirects.quality ?? null,
    default: link.redirects.default ?? null,
  },
  requires_signature: link.requires_signature,
  signing_key_created_at: link.signing_key_created_at?.toISOString() ?? null,
  entry_mismatch_count: link.entry_mismatch_count,
  exit_mismatch_count: link.exit_mismatch_count,
  created_at: link.created_at.toISOString(),
});
