import { z } from 'zod';
import { NOT_APPLICABLE } from '../columns/columns.ts';
import { MAX_TEXT_LENGTH } from '../expressions/compile-loops.ts';
import { ROWS_PER_YIELD } from './numbers.ts';
import { type SourceDefinition, TEXT_FORM, type TransformModule } from './transform.ts';

/** Applied in the order of the request. */
const TEXT_OPERATIONS = [
  'trim',
  'lowercase',
  'uppercase',
  'remove_punctuation',
  'collapse_whitespace',
  'strip_html',
  'nfc',
] as const;
type TextOperation = (typeof TEXT_OPERATIONS)[number];

interface CleanTextRequest {
  kind: 'text';
  operations: readonly TextOperation[];
}

interface CleanTextDefinition extends SourceDefinition {
  kind: 'text';
  operations: readonly TextOperation[];
}

/** Unicode punctuation plus the ASCII symbols used as such. Emoji and other symbols remain. */
const PUNCTUATION = /[\p{P}$+<=>^`|~]/gu;
/** Matches tags; `a < b` remains. Unambiguous, so it runs in linear time. */
const TAG = /<[a-zA-Z!/?][^<>]*>/g;
const ENTITY = /&(amp|lt|gt|quot|apos|nbsp|#39);/g;
const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', ' '],
]);

const CLEANERS: Record<TextOperation, (text: string) => string> = {
  trim: (text) => text.trim(),
  lowercase: (text) => text.toLowerCase(),
  uppercase: (text) => text.toUpperCase(),
  remove_punctuation: (text) => text.replace(PUNCTUATION, ''),
  collapse_whitespace: (text) => text.replace(/\s+/gu, ' '),
  strip_html: (text) => text.replace(TAG, '').replace(ENTITY, (_, name: string) => ENTITIES.get(name) ?? ''),
  nfc: (text) => text.normalize('NFC'),
};

/** Applies the operations in order; null if no text is left. */
export function cleanText(text: string, operations: readonly TextOperation[]): string | null {
  let cleaned = text;
  for (const operation of operations) cleaned = CLEANERS[operation](cleaned);
  // Uppercase can lengthen a text.
  return cleaned === '' || cleaned.length > MAX_TEXT_LENGTH ? null : cleaned;
}

const operations = z.array(z.enum(TEXT_OPERATIONS)).min(1).max(20);
const fields = { operations };
const changes = { operations: operations.optional() };

export const cleanTextTransform: TransformModule<
  CleanTextRequest,
  CleanTextDefinition,
  typeof fields,
  typeof changes
> = {
  kind: 'text',
  operation: {
    path: 'text',
    operationId: 'cleanTexts',
    summary: 'Clean texts',
    description:
      'Cleans texts, such as removing spaces at both ends. Operations are applied in the given order; a text that becomes empty is not applicable.',
    example: {
      column_code: 'Q7',
      target_column_code: 'Q7_clean',
      operations: ['trim', 'collapse_whitespace', 'lowercase'],
    },
  },
  suffix: { code: '_txt', label: 'cleaned' },
  request: { fields, read: (body) => ({ kind: 'text', operations: body.operations }) },
  source: {
    problem: ({ columnCode, type }) =>
      type === 'text' ? null : `${columnCode} is of type ${type}, not a text`,
  },
  draft: (request, columns) => ({ ...request, ...columns }),
  form: () => TEXT_FORM,
  *compute(source, wanted, definition, target) {
    if (target.kind !== 'text' || source.kind !== 'text') return;
    for (let row = 0; row < wanted.length; row++) {
      if (row % (ROWS_PER_YIELD / 16) === 0) yield;
      if (wanted[row] === 0) continue;
      const original = source.texts[row];
      const cleaned = original == null ? null : cleanText(original, definition.operations);
      if (cleaned === null) target.setMissing(row, source.missing(row) ?? NOT_APPLICABLE);
      else target.set(row, cleaned);
    }
  },
  overwrite: { typeProblem: () => null, mayEmpty: () => true },
  definition: {
    schemaId: 'TextDefinition',
    fields: { operations: z.array(z.enum(TEXT_OPERATIONS)) },
    present: (definition) => ({ operations: definition.operations }),
  },
  changes: { fields: changes },
  update: (definition, changed) => ({
    kind: 'text',
    operations: changed.operations ?? definition.operations,
  }),
};
