import { fillMessage } from '../../domain/invitations/invitation-messages.ts';
import type { InvitationEmail, EmailPart } from '../../domain/invitations/invitation-email.ts';
import { escapeHtml, MAIL_FONT } from './system-email.ts';

const SMALL = 'font-size:13px;line-height:1.5;color:#5b6172';

export function invitationText({
  blocks,
  surveyUrl,
  unsubscribeUrl,
  organization,
  localized: { messages },
}: InvitationEmail): string {
  const blockTexts = blocks.map((block) =>
    block.kind === 'button' ? `${messages.take_part}:\n${surveyUrl}` : block.parts.map(partText).join(''),
  );
  const footer = `-- \n${fillMessage(messages.why, organization)}\n${messages.unsubscribe}: ${unsubscribeUrl}`;
  return [...blockTexts, footer].join('\n\n') + '\n';
}

function partText(part: EmailPart): string {
  if (part.kind === 'line_end') return '\n';
  if (part.kind === 'text' || part.text === part.url) return part.text;
  return `${part.text}: ${part.url}`;
}

/**
 * Uses tables and inline styles, which all mail clients support. Escapes all text. Loads no external resources, so that opening the email
 * cannot be tracked.
 */
export function invitationHtml(email: InvitationEmail): string {
  const { blocks, subject, surveyUrl, unsubscribeUrl, organization } = email;
  const { language, direction, messages } = email.localized;
  const align = direction === 'rtl' ? 'right' : 'left';
  const url = escapeHtml(surveyUrl);
  const button = `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:28px 0"><tr><td bgcolor="#4f46e5" style="border-radius:8px;background:#4f46e5"><a href="${url}" style="display:inline-block;padding:14px 28px;border-radius:8px;color:#ffffff;font-size:16px;font-weight:600;line-height:1.25;text-decoration:none">${escapeHtml(messages.take_part)}</a></td></tr></table>`;
  const body = blocks
    .map((block) =>
      block.kind === 'button'
        ? button
        : `<p dir="auto" style="margin:0 0 16px;font-size:16px;line-height:1.55;overflow-wrap:anywhere">${block.parts.map(partHtml).join('')}</p>`,
    )
    .join('\n');
  const surveyLink = blocks.some(({ kind }) => kind === 'button')
    ? `<p style="margin:28px 0 0;padding-top:16px;border-top:1px solid #e7e7ee;${SMALL}">${escapeHtml(messages.copy)}<br><a href="${url}" dir="ltr" style="color:#5b6172;word-break:break-all">${url}</a></p>`
    : '';
  return `<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:0;background:#f4f4f7;color:#1f2430;${MAIL_FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" bgcolor="#f4f4f7"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td bgcolor="#ffffff" align="${align}" style="padding:36px 32px;border-radius:12px;background:#ffffff;text-align:${align}">
${body}
${surveyLink}
</td></tr>
<tr><td align="center" style="padding:20px 16px 0;${SMALL};text-align:center">${escapeHtml(fillMessage(messages.why, organization))}<br><a href="${escapeHtml(unsubscribeUrl)}" style="color:#5b6172">${escapeHtml(messages.unsubscribe)}</a></td></tr>
</table></td></tr></table></body></html>
`;
}

function partHtml(part: EmailPart): string {
  if (part.kind === 'line_end') return '<br>';
  if (part.kind === 'text') return escapeHtml(part.text);
  return `<a href="${escapeHtml(part.url)}" style="color:#4338ca">${escapeHtml(part.text)}</a>`;
}
