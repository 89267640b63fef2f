import type { SurveyDefinition } from '../../survey/definition.ts';
import { withPublishedTexts } from '../../survey/published-texts.ts';
import { ColumnCatalog } from './column-catalog.ts';

/** The columns of a survey's data as its published version names them; `catalog` is that of the draft. */
export function publishedCatalog(
  catalog: ColumnCatalog,
  draft: SurveyDefinition,
  published: SurveyDefinition,
): ColumnCatalog {
  const derived = catalog.columns.flatMap(({ origin }) =>
    origin.kind === 'derived' ? [origin.derived] : [],
  );
  return new ColumnCatalog(withPublishedTexts(draft, published), derived, catalog.waves);
}

/** What figures of the draft's columns are called in the published version. */
export class PublishedLabels {
  private readonly draft: ColumnCatalog;
  private readonly published: ColumnCatalog;
  private codes: Map<string, string> | null = null;
  private readonly valuesByColumn = new Map<string, Map<string, string | null>>();

  constructor(draft: ColumnCatalog, published: ColumnCatalog) {
    this.draft = draft;
    this.published = published;
  }

  /** Of a column or a question as a whole; null: it was never published. A label that is not the draft's stays. */
  columnLabel(code: string, byDefault?: string): string | null {
    const label = findLabel(this.published, code);
    return label === null || byDefault === undefined || byDefault === findLabel(this.draft, code)
      ? label
      : byDefault;
  }

  /** Of the column that has this label in the draft; the label itself where none has it. */
  translateLabel(label: string): string {
    this.codes ??= new Map(this.draft.columns.map(({ spec }) => [spec.label, spec.columnCode]));
    const code = this.codes.get(label);
    return (code === undefined ? null : this.columnLabel(code)) ?? label;
  }

  /**
   * Of a value of a column, or of a row or an option of a question as a whole, which the draft calls `label`; null: it was never published.
   * What was found in the data, and no list names, stays as it is.
   */
  valueLabel(code: string, value: string, label: string): string | null {
    let labels = this.valuesByColumn.get(code);
    if (labels === undefined) {
      const published = new Map(valuesOf(this.published, code).map((each) => [each.of, each.label]));
      labels = new Map(
        valuesOf(this.draft, code).map((each) => [valueKey(each), published.get(each.of) ?? null]),
      );
      this.valuesByColumn.set(code, labels);
    }
    const known = labels.get(valueKey({ value, label }));
    return known === undefined ? label : known;
  }
}

interface NamedValue {
  value: string;
  label: string;
}

/** A rank may be written as the value of an option is, and a row as one of its columns. */
const valueKey = ({ value, label }: NamedValue): string => JSON.stringify([value, label]);

const findLabel = (catalog: ColumnCatalog, code: string): string | null =>
  catalog.find(code)?.spec.label ?? catalog.question(code)?.question.text ?? null;

function valuesOf(catalog: ColumnCatalog, code: string): (NamedValue & { of: string })[] {
  const values = (list: readonly NamedValue[]) =>
    list.map(({ value, label }) => ({ value, label, of: `value ${value}` }));
  const found = catalog.find(code);
  if (found !== undefined) return values(found.spec.values);
  const question = catalog.question(code)?.question;
  if (question === undefined) return [];
  const rows = question.type === 'matrix' ? question.settings.rows : [];
  return [
    ...values(question.options),
    ...rows.map(({ row_code: value, row_label: label }) => ({ value, label, of: `row ${value}` })),
  ];
}
