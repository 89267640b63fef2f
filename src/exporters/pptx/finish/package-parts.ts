import type { DeckHeader } from '../../../domain/reports/deck.ts';
import { xmlText } from '../xml.ts';

/** The library also lists masters that are not there. */
export function removeMissingParts(contentTypes: string, hasPart: (path: string) => boolean): string {
  return contentTypes.replace(/<Override PartName="\/([^"]*)"[^>]*\/>/g, (entry, path: string) =>
    hasPart(path) ? entry : '',
  );
}

/** When the file was made, as whoever ordered it says, and in which language: the library looks at the clock and knows none. */
export function completeProperties(xml: string, { createdAt, description, style }: DeckHeader): string {
  const timestamp = createdAt.toISOString().replace(/\.\d+Z$/, 'Z');
  const extraElements = `${description === null ? '' : `<dc:description>${xmlText(description)}</dc:description>`}<dc:language>${xmlText(style.language)}</dc:language>`;
  return xml
    .replace(/(<dcterms:(created|modified)[^>]*>)[^<]*/g, (_, tag: string) => tag + timestamp)
    .replace('</cp:coreProperties>', `${extraElements}</cp:coreProperties>`);
}

const IMAGE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image';
/** Of the logo, among those that the library numbers. */
export const LOGO_RELATION = 'rIdLogo';

export function withLogo(relations: string, target: string): string {
  const entry = `<Relationship Id="${LOGO_RELATION}" Type="${IMAGE}" Target="${target}"/>`;
  return relations.replace('</Relationships>', `${entry}</Relationships>`);
}
