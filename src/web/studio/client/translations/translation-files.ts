import { escapeFormula, unescapeFormula } from '../../../../lib/formula-text.ts';

/** How far a translation is. */
export type TranslationState = 'missing' | 'outdated' | 'translated';

/** A text with its translation, as translators get it and send it back. */
export interface FileText {
  key: string;
  /** Where the text is, in words. */
  place: string;
  source: string;
  target: string;
  state: TranslationState;
}

/** A translation that a file holds. */
export interface FileTranslation {
  text: string;
  /** Whether the translator marked it as done. */
  isDone: boolean;
}

export interface Languages {
  source: string;
  target: string;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A CSV file with a header. The byte order mark makes spreadsheets read it as UTF-8. */
export function toCsv(texts: readonly FileText[], languages: Languages): string {
  const rows = [
    ['key', 'place', languages.source, languages.target, 'state'],
    ...texts.map(({ key, place, source, target, state }) => [
      key,
      place,
      escapeFormula(source),
      escapeFormula(target),
      state,
    ]),
  ];
  return `\uFEFF${rows.map((row) => row.map(quoted).join(',')).join('\r\n')}\r\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

const XLIFF_STATES: Readonly<Record<TranslationState, string>> = {
  missing: 'needs-translation',
  outdated: 'needs-review-translation',
  translated: 'translated',
};
/** The states of XLIFF 1.2 and 2.0, and of our CSV files, in which a translation needs no more work. */
const DONE_STATES: readonly string[] = ['translated', 'reviewed', 'signed-off', 'final'];

/** An XLIFF 1.2 file, which translation tools read. */
export function toXliff(texts: readonly FileText[], { source, target }: Languages): string {
  const units = texts.map(
    (text) =>
      `      <trans-unit id="${escaped(text.key)}" resname="${escaped(text.place)}" xml:space="preserve">\n` +
      `        <source>${escaped(text.source)}</source>\n` +
      `        <target state="${XLIFF_STATES[text.state]}">${escaped(text.target)}</target>\n` +
      `      </trans-unit>\n`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n` +
    `  <file original="survey" datatype="plaintext" source-language="${escaped(source)}" target-language="${escaped(target)}">\n` +
    `    <body>\n${units.join('')}    </body>\n  </file>\n</xliff>\n`
  );
}

/** Why a file has no translations. */
export class TranslationFileError extends Error {}

/** Reads translations by key: XLIFF 1.2 and 2.0, or CSV with the columns `key` and the language. Throws TranslationFileError. */
export function readTranslations(text: string, language: string): Map<string, FileTranslation> {
  return /^\s*<|^\uFEFF\s*</.test(text) ? readXliff(text) : readCsv(text, language);
}

/** The delimiter of a CSV file: spreadsheets of some countries write semicolons. */
const delimiterOf = (header: string): string =>
  [',', ';', '\t'].find((delimiter) => header.split(delimiter).length > 1) ?? ',';

/** Reads the rows of a CSV file (RFC 4180). Throws TranslationFileError for a quote without an end. */
function readCsvRows(text: string): string[][] {
  const [header = ''] = text.split(/\r?\n/, 1);
  const delimiter = delimiterOf(header);
  const rows: string[][] = [];
  let row: string[] = [];
  let position = 0;
  const quotedField = /"[^"]*(?:""[^"]*)*"/y;
  const plainField = new RegExp(`[^${delimiter}\\r\\n]*`, 'y');
  while (position < text.length) {
    let field: string;
    if (text[position] === '"') {
      // Doubled quotes stand for one.
      quotedField.lastIndex = position;
      const content = quotedField.exec(text)?.[0];
      if (content === undefined)
        throw new TranslationFileError(`The quote in row ${rows.length + 1} has no end`);
      field = content.slice(1, -1).replaceAll('""', '"');
      position += content.length;
    } else {
      plainField.lastIndex = position;
      field = plainField.exec(text)?.[0] ?? '';
      position += field.length;
    }
    row.push(field);
    const isRowEnd = position >= text.length || text[position] !== delimiter;
    if (isRowEnd) {
      rows.push(row);
      row = [];
    }
    position += text.startsWith('\r\n', position) ? 2 : 1;
  }
  return rows;
}

function readCsv(text: string, language: string): Map<string, FileTranslation> {
  const [header = [], ...records] = readCsvRows(text.replace(/^\uFEFF/, ''));
  const names = header.map((name) => name.trim().toLowerCase());
  const keyColumn = names.indexOf('key');
  const textColumn = names.indexOf(language.toLowerCase());
  const stateColumn = names.indexOf('state');
  if (keyColumn < 0 || textColumn < 0)
    throw new TranslationFileError(`The first line must name the columns key and ${language}`);
  return new Map(
    records
      .filter((row) => (row[keyColumn] ?? '') !== '')
      .map((row) => [
        row[keyColumn] ?? '',
        {
          text: unescapeFormula(row[textColumn] ?? ''),
          isDone: DONE_STATES.includes((row[stateColumn] ?? '').trim().toLowerCase()),
        },
      ]),
  );
}

function readXliff(text: string): Map<string, FileTranslation> {
  const file = new DOMParser().parseFromString(text, 'application/xml');
  if (file.querySelector('parsererror') !== null) throw new TranslationFileError('The file is not valid XML');
  const units = [...file.querySelectorAll('trans-unit, unit')];
  if (units.length === 0) throw new TranslationFileError('The file has no texts in the format XLIFF');
  return new Map(
    units.map((unit) => {
      const targets = [...unit.querySelectorAll('target')];
      // XLIFF 2.0 has the state at the segment.
      const states = [...targets, ...unit.querySelectorAll('segment')].flatMap(
        (each) => each.getAttribute('state') ?? [],
      );
      return [
        unit.getAttribute('id') ?? '',
        {
          text: targets.map((target) => target.textContent ?? '').join(''),
          isDone: states.length > 0 && states.every((state) => DONE_STATES.includes(state)),
        },
      ];
    }),
  );
}
