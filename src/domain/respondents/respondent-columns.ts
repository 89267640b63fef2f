import type { SourceColumn } from '../import/source-file.ts';
import { sizeAtMost } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { quote } from '../../lib/quote.ts';
import { attributeNameProblem, MAX_ATTRIBUTES } from './attributes.ts';

type RespondentField = 'email' | 'name' | 'external_id' | 'language' | 'opted_out';

/** The meaning of a column in a list of respondents. */
export interface RespondentColumn {
  header: string;
  /** null: an attribute, or ignored. */
  field: RespondentField | null;
  /** The name of the attribute; null: a field, or ignored. */
  attribute: string | null;
  /** The reason why the column is ignored. */
  reason: string | null;
}

const FIELDS: ReadonlyMap<string, RespondentField> = new Map([
  ['email', 'email'],
  ['e_mail', 'email'],
  ['email_address', 'email'],
  ['e_mail_address', 'email'],
  ['respondent_email', 'email'],
  ['name', 'name'],
  ['respondent_name', 'name'],
  ['external_id', 'external_id'],
  ['language', 'language'],
  ['opted_out', 'opted_out'],
]);
/** Columns of Canvass exports that an import cannot set. */
const READ_ONLY_COLUMNS = new Set(['respondent_id', 'last_invited_at', 'completed_count', 'created_at']);

/**
 * Maps the columns of a list by header: the standard fields, ignoring case and with spaces, - or _; any other column is an attribute with
 * that name. `problems`: errors that make the whole file unusable.
 */
export function mapRespondentColumns(columns: readonly SourceColumn[]): {
  columns: RespondentColumn[];
  problems: ErrorDetail[];
} {
  const usedKeys = new Set<string>();
  const problems: ErrorDetail[] = [];
  const addProblem = (message: string) => problems.push({ field: 'file', message });
  const mapped = columns.map(({ header }): RespondentColumn => {
    const ignored = { header, field: null, attribute: null, reason: null };
    const name = header.normalize('NFC').trim();
    const folded = name.toLowerCase().replaceAll(/[\s-]+/g, '_');
    if (name === '') return { ...ignored, reason: 'has no name' };
    if (READ_ONLY_COLUMNS.has(folded)) return { ...ignored, reason: 'is kept by the server, not imported' };
    const field = FIELDS.get(folded) ?? null;
    const key = field ?? `attribute ${name}`;
    if (usedKeys.has(key)) return { ...ignored, reason: `repeats ${field ?? quote(name)}` };
    usedKeys.add(key);
    if (field !== null) return { ...ignored, field };
    const message = attributeNameProblem(name);
    if (message !== null) addProblem(`column ${quote(header)} ${message}`);
    return { ...ignored, attribute: name };
  });
  const attributes = mapped.filter(({ attribute }) => attribute !== null).length;
  if (attributes > MAX_ATTRIBUTES) addProblem(sizeAtMost(MAX_ATTRIBUTES, 'attribute column', attributes));
  if (!usedKeys.has('email') && !usedKeys.has('external_id'))
    addProblem('must have a column email or external_id, which identifies respondents');
  return { columns: mapped, problems };
}
