import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { partLabel } from '../data/question-label.ts';
import type { Cell, writeOutPages } from '../data/written-out-questions.ts';
import { textInWords } from '../editor/piping/pipes.ts';
import { formatCell, reasonText } from './grid-columns.ts';

type Row = Schema<'ResponseRow'>;
type Column = Schema<'Column'>;
type Pages = ReturnType<typeof writeOutPages>;
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
            {groupTables(questions.filter((question) => hasColumns(question, columns))).map((together) => {
              const [question] = together;
              const props = { questions: all, columns, row };
              return question.cell === undefined ? (
                <Answer key={question.question_code} question={question} {...props} />
              ) : (
                <TableAnswer key={question.cell.tableId} cells={together} {...props} />
              );
            })}
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

/** The questions in their order, the cells of a table together. */
function groupTables(questions: readonly Question[]): [Question, ...Question[]][] {
  const groups: [Question, ...Question[]][] = [];
  for (const question of questions) {
    const last = groups.at(-1);
    if (question.cell !== undefined && last?.[0].cell?.tableId === question.cell.tableId) last.push(question);
    else groups.push([question]);
  }
  return groups;
}

interface AnswerProps {
  /** Of the survey. */
  questions: readonly Question[];
  columns: readonly Column[];
  row: Row;
}

/** The answers in a side-by-side table. */
function TableAnswer({ cells, questions, columns, row }: AnswerProps & { cells: readonly Question[] }) {
  const places = cells.flatMap(({ cell }) => cell ?? []);
  const [first] = places;
  if (first === undefined) return null;
  const rowsOfTable = places.filter(({ columnName }) => columnName === first.columnName);
  const columnsOfTable = places.filter(({ rowCode }) => rowCode === first.rowCode);
  const answerIn = ({ rowCode }: Cell, { columnName }: Cell): string =>
    cells
      .filter(({ cell }) => cell?.rowCode === rowCode && cell.columnName === columnName)
      .flatMap((cell) => columnsOf(cell, columns))
      .map((column) => formatCell(column, row.values[column.column_code]))
      .filter((answer) => answer !== '')
      .join(', ');
  const title = textInWords(first.tableText, questions);
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <div class="scroll" tabIndex={0} role="region" aria-label={title}>
          <table class="table">
            <thead>
              <tr>
                <td />
                {columnsOfTable.map(({ columnName, columnLabel }) => (
                  <th key={columnName} scope="col">
                    {columnLabel}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rowsOfTable.map((place) => (
                <tr key={place.rowCode}>
                  <th scope="row">{place.rowLabel}</th>
                  {columnsOfTable.map((each) => (
                    <td key={each.columnName}>{answerIn(place, each) || '–'}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </dd>
    </div>
  );
}

function Answer({ question, questions, columns, row }: AnswerProps & { question: Question }) {
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
