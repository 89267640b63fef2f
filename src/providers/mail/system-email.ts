const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

export const MAIL_FONT = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

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
