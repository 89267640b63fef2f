import type { Actor } from './actors.ts';
import { choice, multiple, number, text } from './questions.ts';
import { publishedSurvey } from './surveys.ts';

/** A row of the grid, as tests of edits compare it. */
interface GridRow {
  response_id: number;
  submission_id: string;
  response_status: string;
  status_reason: string | null;
  completed_at: string | null;
  updated_at: string;
  edited: boolean;
  quality: { flags: { check: string; value: unknown }[]; status: string } | null;
  values: Record<string, unknown>;
}

export interface SurveyWithResponses {
  surveyId: number;
  linkToken: string;
  at(path: string): string;
  /** By submission_id. */
  rows(): Promise<Record<string, GridRow>>;
  /** Returns the responses with these submission_ids. */
  idsOf(...names: string[]): Promise<number[]>;
}

/** A survey with a column of most kinds and five responses, `a` to `e`: `d` is partial, `e` screened out. */
export async function createSurveyWithResponses(author: Actor): Promise<SurveyWithResponses> {
  const options = [
    ...['1', '2', '3'].map((option_value) => ({ option_label: `Option ${option_value}`, option_value })),
    { option_label: 'Other', option_value: '9', option_other: true },
  ];
  const { surveyId, linkToken } = await publishedSurvey(author, [
    [
      choice('Q1', { options }),
      number('Q2', { question_settings: { min: 0, max: 120 } }),
      multiple('Q3'),
      text('Q4'),
      {
        question_type: 'matrix',
        question_code: 'Q5',
        question_text: 'How good?',
        question_settings: {
          rows: [
            { row_code: 'r1', row_label: 'Price' },
            { row_code: 'r2', row_label: 'Taste' },
          ],
        },
        options: ['1', '2', '3'].map((option_value) => ({
          option_label: `Point ${option_value}`,
          option_value,
        })),
      },
      { question_type: 'date', question_code: 'Q6', question_text: 'When?' },
      { question_type: 'file_upload', question_code: 'Q7', question_text: 'A picture?' },
      {
        question_type: 'ranking',
        question_code: 'Q8',
        question_text: 'Which first?',
        options: ['1', '2', '3'].map((option_value) => ({
          option_label: `Thing ${option_value}`,
          option_value,
        })),
      },
    ],
    [text('Q9')],
  ]);
  const at = (path: string) => `/api/responses/${surveyId}/${path}`;
  const given = [
    {
      submission_id: 'a',
      answers: { Q1: '1', Q2: 30, Q3: ['1', '2'], Q4: 'Good coffee', Q5: { r1: '1', r2: '2' } },
    },
    { submission_id: 'b', answers: { Q1: { value: '9', other: 'Tea' }, Q2: 20, Q4: 'good, Good and GOOD' } },
    { submission_id: 'c', answers: { Q1: '3', Q3: ['3'], Q6: '2026-01-31', Q8: ['3', '1', '2'] } },
    { submission_id: 'd', answers: { Q1: '1' }, status: 'partial' },
    { submission_id: 'e', answers: { Q1: '2', Q2: 25 }, status: 'screened_out' },
  ];
  await author.post(at('rows'), { rows: given }).expect(201);
  const rows = async () => {
    const reply = await author.get(at('grid')).expect(200);
    const all = reply.body.data.rows as GridRow[];
    return Object.fromEntries(all.map((row) => [row.submission_id, row]));
  };
  return {
    surveyId,
    linkToken,
    at,
    rows,
    async idsOf(...names) {
      const known = await rows();
      return names.map((name) => known[name]!.response_id);
    },
  };
}
