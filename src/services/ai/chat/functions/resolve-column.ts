import { z } from 'zod';
import type { ColumnCatalog } from '../../../../domain/dataset/columns/column-catalog.ts';
import type { Question } from '../../../../domain/survey/definition.ts';
import { codeNotFound } from '../../../datasets/code-not-found.ts';

export const questionCode = z
  .string()
  .min(1)
  .max(120)
  .describe('The code of a question of this survey, or of one of its parts');

/** The question or column that a code refers to. */
export interface ResolvedColumn {
  /** null: a metadata or derived column, or a part of a question. */
  question: Question | null;
  columnCode: string;
  label: string;
}

/** Throws 404 that suggests similar codes if the survey has no such code. */
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

/** Columns that describe individual respondents rather than their answers. */
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
