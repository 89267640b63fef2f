import { fillMessage, type InvitationEmail } from '../../domain/invitations/messages.ts';
import {
  type MarkdownElement,
  type MarkdownNode,
  markdownToPlainText,
} from '../../domain/markdown/markdown.ts';
import { escapeHtml } from '../../lib/escape-html.ts';

const MAIL_FONT = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** The content of an email before rendering. */
export interface MailContent {
  title: string;
  paragraphs: readonly string[];
  button: { label: string; url: string };
  /** Shown in small print at the end. */
  footnote: string;
}

export function mailText({ title, paragraphs, button, footnote }: MailContent): string {
  return [title, ...paragraphs, `${button.label}:\n${button.url}`, footnote].join('\n\n') + '\n';
}

const LIST_STYLE = 'margin:0 0 16px;padding:0 0 0 24px;font-size:16px;line-height:1.55';

const SMALL = 'font-size:13px;line-height:1.5;color:#5b6172';

const paragraphHtml = (content: string): string =>
  `<p dir="auto" style="margin:0 0 16px;font-size:16px;line-height:1.55;overflow-wrap:anywhere">${content}</p>`;

const buttonHtml = (
  { label, url }: { label: string; url: string },
  { color, textColor }: { color: string; textColor: string },
): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:28px 0"><tr><td bgcolor="${color}" style="border-radius:8px;background:${color}"><a href="${escapeHtml(url)}" style="display:inline-block;padding:14px 28px;border-radius:8px;color:${textColor};font-size:16px;font-weight:600;line-height:1.25;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`;

/** Of mails about the installation. */
const BUTTON_COLORS = { color: '#4f46e5', textColor: '#ffffff' };

/** The address of the button, for clients that do not open links. */
const addressHtml = (label: string, url: string): string =>
  `<p style="margin:28px 0 0;padding-top:16px;border-top:1px solid #e7e7ee;${SMALL}">${escapeHtml(label)}<br><a href="${escapeHtml(url)}" dir="ltr" style="color:#5b6172;word-break:break-all">${escapeHtml(url)}</a></p>`;

/**
 * Uses tables and inline styles, which all mail clients support. Loads no external resources, so that opening the email cannot be tracked.
 * `body` and `footer` are HTML.
 */
function documentHtml(
  { title, language, direction }: { title: string; language: string; direction: 'ltr' | 'rtl' },
  body: string,
  footer: string,
): string {
  const align = direction === 'rtl' ? 'right' : 'left';
  return `<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:0;background:#f4f4f7;color:#1f2430;${MAIL_FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" bgcolor="#f4f4f7"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td bgcolor="#ffffff" align="${align}" style="padding:36px 32px;border-radius:12px;background:#ffffff;text-align:${align}">
${body}
</td></tr>
<tr><td align="center" style="padding:20px 16px 0;${SMALL};text-align:center">${footer}</td></tr>
</table></td></tr></table></body></html>
`;
}

/** Escapes all text. */
export function mailHtml({ title, paragraphs, button, footnote }: MailContent): string {
  const body = [
    `<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3">${escapeHtml(title)}</h1>`,
    ...paragraphs.map((paragraph) => paragraphHtml(escapeHtml(paragraph))),
    buttonHtml(button, BUTTON_COLORS),
    addressHtml('Or copy this address into your browser:', button.url),
  ].join('\n');
  return documentHtml({ title, language: 'en', direction: 'ltr' }, body, escapeHtml(footnote));
}

export function invitationText({
  blocks,
  surveyUrl,
  unsubscribeUrl,
  organization,
  localized: { messages },
}: InvitationEmail): string {
  const blockTexts = blocks.map((block) =>
    block.kind === 'button'
      ? `${messages.take_part}:\n${surveyUrl}`
      : markdownToPlainText([withWrittenLinks(block.element)]),
  );
  const footer = `-- \n${fillMessage(messages.why, organization)}\n${messages.unsubscribe}: ${unsubscribeUrl}`;
  return [...blockTexts, footer].join('\n\n') + '\n';
}

/** Replaces links by their text and address. */
function withWrittenLinks(node: MarkdownNode): MarkdownNode {
  if (typeof node === 'string') return node;
  const { href, children } = node;
  if (href === undefined) return { ...node, children: children.map(withWrittenLinks) };
  const text = markdownToPlainText(children);
  return text === href ? text : `${text}: ${href}`;
}

/** Escapes all text. */
export function invitationHtml(email: InvitationEmail): string {
  const { blocks, subject, surveyUrl, unsubscribeUrl, organization } = email;
  const { language, direction, messages } = email.localized;
  const body = blocks.map((block) =>
    block.kind === 'button'
      ? buttonHtml({ label: messages.take_part, url: surveyUrl }, email.button)
      : markdownHtml(block.element),
  );
  if (blocks.some(({ kind }) => kind === 'button')) body.push(addressHtml(messages.copy, surveyUrl));
  const footer = `${escapeHtml(fillMessage(messages.why, organization))}<br><a href="${escapeHtml(unsubscribeUrl)}" style="color:#5b6172">${escapeHtml(messages.unsubscribe)}</a>`;
  return documentHtml({ title: subject, language, direction }, body.join('\n'), footer);
}

/** Styles of elements; lists have the distance of paragraphs. */
const ELEMENT_STYLES: Partial<Record<MarkdownElement['tag'], string>> = {
  h2: 'margin:24px 0 12px;font-size:20px;line-height:1.3',
  h3: 'margin:20px 0 8px;font-size:17px;line-height:1.3',
  h4: 'margin:16px 0 8px;font-size:16px;line-height:1.3',
  ul: LIST_STYLE,
  ol: LIST_STYLE,
  li: 'margin:0 0 6px',
  a: 'color:#4338ca',
};

/** Escapes all text. */
function markdownHtml(node: MarkdownNode): string {
  if (typeof node === 'string') return escapeHtml(node).replaceAll('\n', '<br>');
  const { tag, href, start } = node;
  const content = node.children.map(markdownHtml).join('');
  if (tag === 'p') return paragraphHtml(content);
  const style = ELEMENT_STYLES[tag];
  const attributes = [
    href === undefined ? '' : ` href="${escapeHtml(href)}"`,
    start === undefined ? '' : ` start="${start}"`,
    style === undefined ? '' : ` style="${style}"`,
  ];
  return `<${tag}${attributes.join('')}>${content}</${tag}>`;
}
