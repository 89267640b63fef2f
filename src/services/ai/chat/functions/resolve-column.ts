import { z } from 'zod';
import type { ColumnCatalog } from '../../../../domain/dataset/columns/column-catalog.ts';
import type { Question } from '../../../../domain/survey/definition.ts';
import { codeNotFound } from '../../../datasets/code-not-found.ts';

export const questionCode = z
  .string()
  .min(1)
  .max(120)
  .describe('The code of a question of this survey, or of one of its parts');

/** What a code means in this survey. */
export interface ResolvedColumn {
  /** null: a column that is of no question, or a part of one. */
  question: Question | null;
  columnCode: string;
  label: string;
}

/** 404, naming similar ones, for a code that this survey has not. */
export function resolveColumn(catalog: ColumnCatalog, code: string): ResolvedColumn {
  const question = catalog.question(code)?.question;
  if (question !== undefined) return { question, columnCode: question.code, label: question.text };
  const entry = catalog.find(code);
  if (entry === undefined || isPersonalColumn(entry.spec.columnCode)) {
    const codes = catalog.columns
      .map(({ spec }) => spec.columnCode)
      .filter((known) => !isPersonalColumn(known));
    throw codeNotFound('question', code, codes);
  }
  return { question: null, columnCode: entry.spec.columnCode, label: entry.spec.label };
}

/** Columns about single people rather than about what they said. */
const PERSONAL_COLUMNS = new Set([
  'response_id',
  'submission_id',
  'respondent_id',
  'external_id',
  'link_id',
  'last_page_id',
  'started_at',
  'completed_at',
  'updated_at',
]);
const isPersonalColumn = (columnCode: string) => PERSONAL_COLUMNS.has(columnCode);
