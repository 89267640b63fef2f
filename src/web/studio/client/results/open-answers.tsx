import { useState } from 'preact/hooks';
import { SearchField } from '../../../shared/client/fields.tsx';
import { texts } from '../../texts.ts';
import { useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import type { QuestionData } from './figure-kind.ts';
import { useSession } from '../shell/session-context.tsx';
import { type ResultsView, selectionParameters } from '../survey/results-view.ts';
import { FIRST_ANSWERS } from '../question-types/open-answers.ts';
import { Themes } from './themes.tsx';

const t = texts.results;
const MORE = 50;
/** The API returns no more at once. */
const MAX_LISTED = 1000;

/** The texts that respondents wrote, newest first, with a search. */
export function OpenAnswers({
  surveyId,
  questionId,
  columnCode,
  counted,
  view,
}: {
  surveyId: number;
  /** null: its answers cannot be analyzed together. */
  questionId: number | null;
  columnCode: string;
  counted: QuestionData['counted'];
  view: ResultsView;
}) {
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(FIRST_ANSWERS);
  const { ai_access: canAnalyze } = useSession().me;
  const includesTests = counted.test_responses_included > 0;
  const left = { type: 'column', code: columnCode };
  const query = useQuery(
    '/api/responses/{surveyId}/grid',
    {
      path: { surveyId },
      query: {
        ...selectionParameters(view, [
          { left, operator: 'answered' },
          ...(search === '' ? [] : [{ left, operator: 'contains', right: search }]),
        ]),
        // The same responses as in the figures.
        include_test: includesTests,
        quality: 'exclude_confirmed',
        columns: columnCode,
        sort: '-response_id',
        limit,
      },
    },
    { keepPrevious: true },
  );
  return (
    <div class="result-texts">
      {canAnalyze && questionId !== null && (search !== '' || (query.total ?? 0) > 0) && (
        <Themes
          key={JSON.stringify(view)}
          surveyId={surveyId}
          questionId={questionId}
          count={counted.responses}
          view={view}
          includesTests={includesTests}
        />
      )}
      <SearchField label={t.searchAnswers} onSearch={setSearch} />
      <QueryView query={query}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p class="soft">{search === '' ? t.noAnswers : t.noAnswersMatch}</p>
          ) : (
            <ul aria-label={t.answers(query.total ?? rows.length)} key={questionId}>
              {rows.map((row) => (
                <li key={row.response_id}>{row.values[columnCode]}</li>
              ))}
            </ul>
          )
        }
      </QueryView>
      {query.total !== null && query.total > limit && limit < MAX_LISTED && (
        <button
          type="button"
          class="button small"
          onClick={() => setLimit(Math.min(MAX_LISTED, limit + MORE))}
        >
          {t.showMore}
        </button>
      )}
    </div>
  );
}
