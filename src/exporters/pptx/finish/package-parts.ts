import type { DeckHeader } from '../../../domain/reports/deck.ts';
import { xmlText } from '../xml.ts';

/** The library lists masters that do not exist. */
export function removeMissingParts(contentTypes: string, hasPart: (path: string) => boolean): string {
  return contentTypes.replace(/<Override PartName="\/([^"]*)"[^>]*\/>/g, (entry, path: string) =>
    hasPart(path) ? entry : '',
  );
}

/** Sets the creation time and language of the report; the library uses the current time and no language. */
export function completeProperties(xml: string, { createdAt, description, style }: DeckHeader): string {
  const timestamp = createdAt.toISOString().replace(/\.\d+Z$/, 'Z');
  const extraElements = `${description === null ? '' : `<dc:description>${xmlText(description)}</dc:description>`}<dc:language>${xmlText(style.language)}</dc:language>`;
  return xml
    .replace(/(<dcterms:(created|modified)[^>]*>)[^<]*/g, (_, tag: string) => tag + timestamp)
    .replace('</cp:coreProperties>', `${extraElements}</cp:coreProperties>`);
}

const IMAGE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image';
/** Relationship ID of the logo, outside of the numbered IDs of the library. */
export const LOGO_RELATION = 'rIdLogo';

export function withLogo(relations: string, target: string): string {
  const entry = `<Relationship Id="${LOGO_RELATION}" Type="${IMAGE}" Target="${target}"/>`;
  return relations.replace('</Relationships>', `${entry}</Relationships>`);
}
