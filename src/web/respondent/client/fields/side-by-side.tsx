import { sideBySideAnswers } from '../../../../domain/questions/types/side-by-side.ts';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import type { QuestionView } from '../../../../domain/survey/logic/render-survey.ts';
import { Formatted } from '../formatted.tsx';
import { useFittingTable } from './fitting-table.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';

/** With more columns than this, the page is wider. */
const MAX_NARROW_COLUMNS = 3;

/** A table if it fits; else a card for each row, with the labels of the columns above their answers. */
function SideBySideField({
  view,
  cells,
  showCell,
  id,
  messages,
  session,
}: FieldProps<QuestionWithType<'side_by_side'>>) {
  const { container, isTable } = useFittingTable(true);
  const columns = [...view.columns];
  const languageOf = (group: string, code: string) => session.languageOf(view.texts.has(code, group));
  const cellAt = (columnCode: string, rowCode: string): QuestionView | undefined =>
    cells.find(({ question: { cell } }) => cell?.columnCode === columnCode && cell.rowCode === rowCode);
  const columnLabel = (code: string, label: string) => (
    <span {...languageOf('columns', code)}>
      <Formatted text={label} nodes={view.formatted.get(`columns.${code}`)} messages={messages} />
    </span>
  );
  const rowLabel = (code: string, label: string) => (
    <span {...languageOf('rows', code)}>
      <Formatted text={label} nodes={view.formatted.get(`rows.${code}`)} messages={messages} />
    </span>
  );
  const isRequired = (code: string) =>
    cells.some(({ question: { cell, required } }) => cell?.columnCode === code && required);
  const cellIn = (column: string, label: string, row: { row_code: string; row_label: string }) => {
    const cell = cellAt(column, row.row_code);
    if (cell === undefined) return null;
    const name = columnLabel(column, label);
    return showCell(
      cell,
      isTable ? (
        <span class="visually-hidden">
          {name}, {rowLabel(row.row_code, row.row_label)}
        </span>
      ) : (
        name
      ),
    );
  };
  return (
    <div ref={container} class={columns.length > MAX_NARROW_COLUMNS ? 'side-by-side wide' : 'side-by-side'}>
      {isTable ? (
        <table>
          <thead>
            <tr>
              <td />
              {columns.map(([code, label]) => (
                <th key={code} scope="col">
                  {columnLabel(code, label)}
                  {isRequired(code) && (
                    <span class="star" aria-hidden="true">
                      {'\u00a0*'}
                    </span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {view.rows.map((row) => (
              <tr key={row.row_code}>
                <th scope="row">{rowLabel(row.row_code, row.row_label)}</th>
                {columns.map(([code, label]) => (
                  <td key={code}>{cellIn(code, label, row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        view.rows.map((row) => (
          <div key={row.row_code} class="table-row" role="group" aria-labelledby={`${id}-${row.row_code}`}>
            <div class="row-title" id={`${id}-${row.row_code}`}>
              {rowLabel(row.row_code, row.row_label)}
            </div>
            {columns.map(([code, label]) => cellIn(code, label, row))}
          </div>
        ))
      )}
    </div>
  );
}

export const sideBySideField: FieldModuleOf<'side_by_side'> = {
  ...PLAIN_FIELD,
  answers: sideBySideAnswers,
  Field: SideBySideField,
};
