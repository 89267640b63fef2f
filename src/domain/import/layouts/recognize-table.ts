import type { LayoutName, SourceColumn } from '../source-file.ts';
import { type HeaderRows, NO_REWRITE, type RecognizedTable } from './header-cells.ts';
import { isLimeSurvey, isVerifiedData, readLimeSurveyTable } from './limesurvey.ts';
import { hasImportIds, hasNamedSecondRow, readQualtricsTable } from './qualtrics.ts';
import { questionnaireOfTable } from './questionnaires.ts';
import { hasOptionsBelow, readSurveyMonkeyTable } from './surveymonkey.ts';

/** Number of rows used to recognize a layout. */
export const MAX_HEADER_ROWS = 3;

export type TableRecognition =
  | { kind: 'data'; table: RecognizedTable }
  /** A questionnaire, or an unsupported data format: its name. */
  | { kind: 'questionnaire' | 'unsupported'; what: string }
  /** The layout requested by the client does not match. */
  | { kind: 'mismatch'; expected: string };

const EXPECTED: Record<LayoutName, string> = {
  plain: 'one header row',
  qualtrics:
    'a second header row with the texts of the questions, and a third with ImportIds in newer exports',
  surveymonkey:
    'a first column RespondentID with nothing below its header, and options in a second header row',
  limesurvey: 'columns such as id, submitdate, lastpage and startlanguage, by code or by full text',
};

function plainTable([headers = []]: HeaderRows): RecognizedTable {
  const columns = headers.map((header): SourceColumn => ({ header, label: null, variable: null }));
  return {
    layout: { name: 'plain', headerRows: 1, groups: [], timeZone: null },
    columns,
    rewrite: NO_REWRITE,
  };
}

/** Recognizes the layout of a table from its first rows; `wanted` null: detect it. */
export function recognizeTable(rows: HeaderRows, wanted: LayoutName | null): TableRecognition {
  if (wanted === 'plain') return { kind: 'data', table: plainTable(rows) };
  const questionnaire = questionnaireOfTable(rows);
  if (questionnaire !== null) return { kind: 'questionnaire', what: questionnaire };
  if (isVerifiedData(rows)) {
    const what = 'a LimeSurvey VV file; export the responses as CSV or Excel instead';
    return { kind: 'unsupported', what };
  }
  const isQualtrics = hasImportIds(rows) || hasNamedSecondRow(rows);
  const found = isQualtrics
    ? readQualtricsTable(rows)
    : hasOptionsBelow(rows)
      ? readSurveyMonkeyTable(rows)
      : isLimeSurvey(rows)
        ? readLimeSurveyTable(rows)
        : plainTable(rows);
  if (wanted !== null && found.layout.name !== wanted)
    return { kind: 'mismatch', expected: EXPECTED[wanted] };
  return { kind: 'data', table: found };
}
