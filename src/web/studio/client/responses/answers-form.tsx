import { ApiError } from '../../../shared/client/api.ts';
import { ChecksField, Field, SelectField, TextAreaField } from '../../../shared/client/fields.tsx';
import { Form } from '../../../shared/client/form.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { readTypedNumber, typedForm } from '../data/typed-number.ts';
import { announceChange } from './data-change.ts';

type Row = Schema<'ResponseRow'>;
type Column = Schema<'Column'>;
type Cell = Row['values'][string];

const t = texts.responses;

/** Name of the field of a column. Codes are unique, and a prefix keeps them apart from the reason. */
const fieldName = (column: Column): string => `values.${column.column_code}`;

const isList = (column: Column): boolean => column.type === 'multiple';
const isNumeric = (column: Column): boolean => ['number', 'binary', 'rank'].includes(column.type);

/** What the field has before it is edited. */
function fieldValue(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return typedForm(cell);
  return Array.isArray(cell) ? '' : String(cell);
}

/** The cell that the fields of a column say; null: no answer. Throws ApiError for a text that is no number, or two. */
function readCell(column: Column, form: FormData, before: Cell): Cell {
  const name = fieldName(column);
  if (isList(column)) {
    const values = form.getAll(name).map(String);
    // Without a tick, a question that was skipped stays so; otherwise no option applies.
    return values.length === 0 && before === null ? null : values;
  }
  const entry = form.get(name);
  const text = typeof entry === 'string' ? entry.trim() : '';
  if (text === '') return null;
  if (!isNumeric(column)) return text;
  const { value, problem } = readTypedNumber(text, column.type === 'number' ? null : 0);
  if (value === null) throw new ApiError('rejected', { problems: [{ field: name, message: problem }] });
  return value;
}

/** The answers of one response as fields. Only what differs is saved. */
export function AnswersForm({
  surveyId,
  row,
  columns,
  reload,
  onDone,
}: {
  surveyId: number;
  row: Row;
  columns: readonly Column[];
  reload: () => Promise<void>;
  onDone: () => void;
}) {
  const editable = columns.filter((column) => column.editable);
  const save = async (reason: string, element: HTMLFormElement) => {
    const form = new FormData(element);
    const changes = editable.flatMap((column): [string, Cell][] => {
      const before = row.values[column.column_code] ?? null;
      const after = readCell(column, form, before);
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [[column.column_code, after]];
    });
    if (changes.length > 0) {
      const edited = await changeApi('patch', '/api/responses/{surveyId}/rows/{responseId}', {
        path: { surveyId, responseId: row.response_id },
        body: { values: Object.fromEntries(changes), ...(reason === '' ? {} : { reason }) },
      });
      await reload();
      announceChange(t.edit.saved(row.response_id), { surveyId, changeId: edited.change_id, reload });
    }
    onDone();
  };
  return (
    <Form
      submit={t.edit.save}
      onSubmit={(values, element) => save(values.get('reason')?.trim() ?? '', element)}
      otherButtons={
        <button type="button" class="button" onClick={onDone}>
          {t.edit.cancel}
        </button>
      }
    >
      <p class="soft">{t.edit.about}</p>
      {editable.map((column) => (
        <CellField key={column.column_code} column={column} cell={row.values[column.column_code]} />
      ))}
      <TextAreaField name="reason" label={t.reason} hint={t.reasonHint} />
    </Form>
  );
}

const YES_NO = [
  ['1', t.yes],
  ['0', t.no],
] as const;

/** A field that suits the values of the column. */
function CellField({ column, cell }: { column: Column; cell: Cell | undefined }) {
  const shared = { name: fieldName(column), label: column.label };
  const value = fieldValue(cell);
  const options = column.values.map((each) => [each.value, each.label] as const);
  switch (column.type) {
    case 'multiple':
      return <ChecksField {...shared} values={Array.isArray(cell) ? cell : []} options={options} />;
    case 'categorical':
    case 'binary':
      return (
        <SelectField
          {...shared}
          value={value}
          options={[['', t.noAnswer], ...(column.type === 'binary' ? YES_NO : options)]}
        />
      );
    case 'text':
      return <TextAreaField {...shared} value={value} />;
    default:
      return <Field {...shared} value={value} />;
  }
}
