import type { SurveyDefinition } from '../../survey/definition.ts';
import { inPublishedWording } from '../../survey/published-wording.ts';
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
  return new ColumnCatalog(inPublishedWording(draft, published), derived, catalog.waves);
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

  /** Of a column or a question as a whole; null: it was never published. */
  ofColumn(code: string): string | null {
    return this.published.find(code)?.spec.label ?? this.published.question(code)?.question.text ?? null;
  }

  /** Of the column that has this label in the draft; the label itself where none has it. */
  ofLabel(label: string): string {
    this.codes ??= new Map(this.draft.columns.map(({ spec }) => [spec.label, spec.columnCode]));
    const code = this.codes.get(label);
    return (code === undefined ? null : this.ofColumn(code)) ?? label;
  }

  /** Of a value of a column, or of a row or an option of a question as a whole; null: it was never published. */
  ofValue(code: string, value: string, byDefault: string): string | null {
    let labels = this.valuesByColumn.get(code);
    if (labels === undefined) {
      // What was found in the data, and no list names, is in neither and stays as it is.
      labels = new Map<string, string | null>([...valuesOf(this.draft, code)].map(([each]) => [each, null]));
      for (const [each, label] of valuesOf(this.published, code)) labels.set(each, label);
      this.valuesByColumn.set(code, labels);
    }
    const label = labels.get(value);
    return label === undefined ? byDefault : label;
  }
}

function valuesOf(catalog: ColumnCatalog, code: string): Map<string, string> {
  const found = catalog.find(code);
  if (found !== undefined) return new Map(found.spec.values.map(({ value, label }) => [value, label]));
  const question = catalog.question(code)?.question;
  if (question === undefined) return new Map();
  const rows = question.type === 'matrix' ? question.settings.rows : [];
  return new Map([
    ...question.options.map(({ value, label }) => [value, label] as const),
    ...rows.map(({ row_code: value, row_label: label }) => [value, label] as const),
  ]);
}
