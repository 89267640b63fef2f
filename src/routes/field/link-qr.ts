import { Readable } from 'node:stream';
import { z } from 'zod';
import { createQrCode } from '../../exporters/qr-code.ts';
import { idParam, integerParam } from '../../http/paging.ts';
import { dataReply, fileReply } from '../../http/reply.ts';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import { onlyPermittedTo } from '../../lib/error-messages.ts';
import type { LinkRow } from '../../repositories/links.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { linkUrl, canViewLinkUrl } from '../link-reply.ts';

const params = z.strictObject({ surveyId: idParam, linkId: idParam });

/** QR code and embed snippet of a link. */
export const linkQrRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/links/:linkId/qr',
    operationId: 'getSurveyLinkQr',
    summary: 'Get the QR code',
    description:
      'The QR code of a `unique` link requires edit permission, because the link belongs to one respondent.',
    access: onSurvey('view'),
    params,
    query: surveyQuery.extend({
      format: z.enum(['svg', 'png'], { error: 'must be svg or png' }).default('svg'),
      size: integerParam(64, 2_048).default(512).describe('Width and height in pixels, including the margin'),
    }),
    reply: fileReply('image/svg+xml', 'image/png'),
    async handler({ services, scope, params: { linkId }, query: { format, size }, request }) {
      const link = await services.links.get(scope, linkId);
      refuseHiddenAddress(link, scope);
      const code = await createQrCode(linkUrl(link, request.baseUrl), format, size);
      return {
        contentType: format === 'svg' ? 'image/svg+xml' : 'image/png',
        filename: `link-${link.link_id}.${format}`,
        chunks: Readable.from([code]),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/links/:linkId/embed',
    operationId: 'getSurveyLinkEmbed',
    summary: 'Get the embed code',
    description:
      'Returns an `<iframe>` snippet. Pages of other origins can embed the survey only if they are listed in its ' +
      '`embed_origins`. A `unique` link requires edit permission.',
    access: onSurvey('view'),
    params,
    query: surveyQuery.extend({
      height: integerParam(200, 4_000).default(700).describe('Height of the frame in pixels'),
    }),
    reply: dataReply(z.strictObject({ html: z.string(), url: z.string() }).meta({ id: 'LinkEmbed' })),
    async handler({ services, scope, params: { linkId }, query: { height }, request }) {
      const link = await services.links.get(scope, linkId);
      refuseHiddenAddress(link, scope);
      const { survey_name: name } = await services.surveys.get(scope);
      const url = linkUrl(link, request.baseUrl);
      const html =
        `<iframe src="${escaped(url)}" title="${escaped(name)}" loading="lazy" ` +
        `style="width:100%;height:${height}px;border:0"></iframe>`;
      return { html, url };
    },
  }),
];

function refuseHiddenAddress(link: LinkRow, scope: SurveyScope): void {
  if (!canViewLinkUrl(link, scope))
    throw onlyPermittedTo(
      'an editor of the survey',
      'view the address of a link that belongs to one respondent',
    );
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
