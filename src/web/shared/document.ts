import { POLICY_REPORTS_PATH } from '../../middleware/security-headers.ts';
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../lib/escape-html.ts';
import type { Html } from './html.ts';
import type { PageAssets } from './page-assets.ts';

/** A complete HTML document. */
export interface HtmlDocument {
  title: string;
  language?: string;
  direction?: 'ltr' | 'rtl';
  theme?: 'auto' | 'light' | 'dark';
  /** Address of the tab icon. By default the tab has none, because respondents do not know the product. */
  icon?: string;
  /** What other programs show where the address is shared. Addresses of images are complete. */
  preview?: { description: string | null; image: string | null };
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
  const {
    title,
    language = 'en',
    direction,
    theme,
    icon = 'data:,',
    preview,
    files,
    style,
    data,
    body,
  } = page;
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="color-scheme"${attribute('content', theme === 'light' || theme === 'dark' ? theme : 'light dark')}>`,
    '<meta name="robots" content="noindex">',
    `<title>${escapeHtml(title)}</title>`,
    ...(preview === undefined ? [] : previewTags(title, preview)),
    `<link rel="icon"${attribute('href', icon)}>`,
    ...(files === undefined ? [] : linksTo(files)),
    ...(style === undefined ? [] : [`<style>${style}</style>`]),
  ];
  const bodyData = Object.entries(data ?? {}).map(([name, value]) => attribute(`data-${name}`, value));
  return `<!doctype html>
<html${attribute('lang', language)}${attribute('dir', direction)}${attribute('data-theme', theme)}>
<head>
${head.join('\n')}
</head>
<body${bodyData.join('')}>
${body.text}
</body>
</html>
`;
}

const attribute = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`;

/** Tags of the Open Graph protocol (ogp.me). */
function previewTags(title: string, { description, image }: NonNullable<HtmlDocument['preview']>): string[] {
  const tag = (name: string, property: string, content: string | null): string[] =>
    content === null || content === ''
      ? []
      : [`<meta${attribute(name, property)}${attribute('content', content)}>`];
  return [
    ...tag('property', 'og:type', 'website'),
    ...tag('property', 'og:title', title),
    ...tag('property', 'og:description', description),
    ...tag('property', 'og:image', image),
    ...tag('name', 'description', description),
    ...tag('name', 'twitter:card', image === null ? 'summary' : 'summary_large_image'),
  ];
}

/** The link to the style, and the script if the page has one. */
const linksTo = ({ path, assets, hasScript = true }: NonNullable<HtmlDocument['files']>): string[] => [
  `<link rel="stylesheet"${attribute('href', `${path}/${assets.style.fileName}`)}>`,
  ...(hasScript
    ? [`<script type="module"${attribute('src', `${path}/${assets.script.fileName}`)}></script>`]
    : []),
];

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
    'report-uri': POLICY_REPORTS_PATH,
    'script-src': "'self'",
    'style-src': "'self'",
    ...more,
  };
  // `default-src` already forbids what a fetch directive does not name.
  const isRedundant = (name: string, sources: string) =>
    sources === "'none'" && name.endsWith('-src') && name !== 'default-src';
  return Object.entries(directives)
    .filter(([name, sources]) => !isRedundant(name, sources))
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
