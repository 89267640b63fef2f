import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { partLabel } from '../data/question-label.ts';
import { textInWords } from '../editor/piping/pipes.ts';
import { formatCell, reasonText } from './grid-columns.ts';

type Row = Schema<'ResponseRow'>;
type Column = Schema<'Column'>;
type Pages = Schema<'SurveyWithPages'>['pages'];
type Question = Pages[number]['questions'][number];

const t = texts.responses;

/** The answers of one response in the order of the questionnaire, as the respondent gave them. */
export function ResponseAnswers({
  pages,
  columns,
  row,
}: {
  pages: Pages;
  columns: readonly Column[];
  row: Row;
}) {
  const all = pages.flatMap(({ questions }) => questions);
  const derived = columns.filter(({ question_id: id }) => id === null);
  const shownPages = pages.filter(({ questions }) =>
    questions.some((question) => hasColumns(question, columns)),
  );
  return (
    <>
      {shownPages.map(({ page_id: id, page_title: title, questions }, index) => (
        <section key={id} class="response-page">
          {shownPages.length > 1 && <h4>{title || texts.filters.page(index + 1)}</h4>}
          <dl class="response-answers">
            {questions
              .filter((question) => hasColumns(question, columns))
              .map((question) => (
                <Answer
                  key={question.question_id}
                  question={question}
                  questions={all}
                  columns={columns}
                  row={row}
                />
              ))}
          </dl>
        </section>
      ))}
      {derived.length > 0 && (
        <section class="response-page">
          <h4>{texts.filters.derivedColumns}</h4>
          <dl class="response-answers">
            {derived.map((column) => (
              <div key={column.column_code}>
                <dt>{column.label}</dt>
                <dd>{formatCell(column, row.values[column.column_code]) || '–'}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

/** Why a question has no answer: the reason that the respondent gave, if there is one. */
function whyEmpty({ question_code: code }: Question, columns: readonly Column[], row: Row): string {
  const reason = columns.map((column) => reasonText(column, row)).find((text) => text !== '');
  return reason ?? (row.not_shown?.includes(code) === true ? t.notAsked : t.noAnswer);
}

const columnsOf = ({ question_id: id }: Question, columns: readonly Column[]): Column[] =>
  columns.filter((column) => column.question_id === id);

const hasColumns = (question: Question, columns: readonly Column[]): boolean =>
  columnsOf(question, columns).length > 0;

function Answer({
  question,
  questions,
  columns,
  row,
}: {
  question: Question;
  /** Of the survey. */
  questions: readonly Question[];
  columns: readonly Column[];
  row: Row;
}) {
  const { question_text: text, question_code: code } = question;
  const parts = columnsOf(question, columns).map((column) => ({
    label: column.column_code === code ? '' : (partLabel(column.label, question) ?? column.label),
    answer: formatCell(column, row.values[column.column_code]),
  }));
  const given = parts.filter(({ answer }) => answer !== '');
  const isSingle = parts.length === 1;
  return (
    <div>
      <dt>{textInWords(text, questions) || code}</dt>
      {given.length === 0 ? (
        <dd class="soft">{whyEmpty(question, columnsOf(question, columns), row)}</dd>
      ) : isSingle || given.every(({ label }) => label === '') ? (
        <dd>{given.map(({ answer }) => answer).join(', ')}</dd>
      ) : (
        <dd>
          <ul class="response-parts">
            {given.map(({ label, answer }, index) => (
              <li key={index}>
                {label !== '' && <span class="soft">{texts.filters.withColon(label)} </span>}
                {answer}
              </li>
            ))}
          </ul>
        </dd>
      )}
    </div>
  );
}
