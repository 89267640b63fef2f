import { type EmailPart, fillMessage, type InvitationEmail } from '../../domain/invitations/messages.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const MAIL_FONT = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** The content of an email before rendering. */
interface MailContent {
  title: string;
  paragraphs: readonly string[];
  button: { label: string; url: string };
  /** Shown in small print at the end. */
  footnote: string;
}

export function mailText({ title, paragraphs, button, footnote }: MailContent): string {
  return [title, ...paragraphs, `${button.label}:\n${button.url}`, footnote].join('\n\n') + '\n';
}

/** Uses tables and inline styles, which all mail clients support. Escapes all text. Loads no pictures or other external resources. */
export function mailHtml({ title, paragraphs, button, footnote }: MailContent): string {
  const paragraphsHtml = paragraphs
    .map(
      (paragraph) => `<p style="margin:0 0 16px;font-size:16px;line-height:1.5">${escapeHtml(paragraph)}</p>`,
    )
    .join('');
  const url = escapeHtml(button.url);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;background:#f4f4f7;color:#1f2430;${MAIL_FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border-radius:12px">
<tr><td style="padding:32px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(title)}</h1>
${paragraphsHtml}
<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#4f46e5;color:#ffffff;font-size:16px;text-decoration:none">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:1.5;color:#5b6172">Or copy this address into your browser:<br><span style="word-break:break-all">${url}</span></p>
<p style="margin:0;font-size:13px;line-height:1.5;color:#5b6172">${escapeHtml(footnote)}</p>
</td></tr></table></td></tr></table></body></html>
`;
}

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
