import { createHash } from 'node:crypto';
import { html, type Html, trustedHtml } from './html.ts';
import type { PageAssets } from './page-assets.ts';

/** A complete HTML document. */
export interface HtmlDocument {
  title: string;
  language?: string;
  direction?: 'ltr' | 'rtl';
  theme?: 'auto' | 'light' | 'dark';
  /** Address of the tab icon. By default the tab has none, because respondents do not know the product. */
  icon?: string;
  /** Built files of the application, with the path of their folder. */
  files?: { path: string; assets: PageAssets; hasScript?: boolean };
  /** CSS in the document itself; its policy has to name `sourceOfStyle`. */
  style?: string;
  /** data-* attributes of the body. */
  data?: Readonly<Record<string, string>>;
  body: Html;
}

/** Renders a document. Search engines index none of the pages. */
export function renderDocument(page: HtmlDocument): string {
  const { title, language = 'en', direction, theme, icon = 'data:,', files, style, data = {}, body } = page;
  const head = [
    html`<meta charset="utf-8" />`,
    html`<meta name="viewport" content="width=device-width, initial-scale=1" />`,
    html`<meta
      name="color-scheme"
      content="${theme === undefined || theme === 'auto' ? 'light dark' : theme}"
    />`,
    html`<meta name="robots" content="noindex" />`,
    html`<title>${title}</title>`,
    html`<link rel="icon" href="${icon}" />`,
    files && html`<link rel="stylesheet" href="${files.path}/${files.assets.style.fileName}" />`,
    style !== undefined &&
      html`<style>
        ${trustedHtml(style)}
      </style>`,
    files &&
      files.hasScript !== false &&
      html`<script type="module" src="${files.path}/${files.assets.script.fileName}"></script>`,
  ].flatMap((line) => (line instanceof Object ? [line.text] : []));
  const root = html`<html
    lang="${language}"
    ${direction !== undefined && html` dir="${direction}"`}${theme !== undefined && html` data-theme="${theme}"`}
  ></html>`;
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`);
  return `<!doctype html>
${root.text}
<head>
${head.join('\n')}
</head>
${html`<body${attributes}></body${attributes}>`.text}
${body.text}
</body>
</html>
`;
}

/** The source that allows an inline style in a content security policy. */
export const sourceOfStyle = (style: string): string =>
  `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Allows what the page and its server have; `more` adds directives or replaces those of the same name. */
export function contentPolicy(more: Readonly<Record<string, string>> = {}): string {
  const directives = {
    'default-src': "'none'",
    'base-uri': "'none'",
    'connect-src': "'self'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'img-src': "'self' data:",
    'script-src': "'self'",
    'style-src': "'self'",
    ...more,
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
