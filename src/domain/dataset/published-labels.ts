import { rowsOf, typeOf } from '../questions/registry.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../survey/definition.ts';
import { ColumnCatalog } from './column-catalog.ts';

/** Settings with texts that appear in figures. */
const TEXT_SETTINGS = [
  'report_label',
  'min_label',
  'mid_label',
  'max_label',
  'point_labels',
  'other_label',
  'yes_label',
  'no_label',
  'no_answers',
] as const;

/**
 * Returns the draft with the texts of the published version, keeping the draft's codes. Unpublished questions, options and rows are
 * removed; retired ones stay because they have data.
 */
export function withPublishedTexts(draft: SurveyDefinition, published: SurveyDefinition): SurveyDefinition {
  const byId = new Map(questionsOf(published, 'all').map((question) => [question.id, question]));
  const titles = new Map(published.pages.map((page) => [page.id, page]));
  return {
    ...draft,
    name: published.name,
    description: published.description,
    pages: draft.pages.map((page) => ({
      ...page,
      title: titles.get(page.id)?.title ?? null,
      description: titles.get(page.id)?.description ?? null,
      questions: page.questions.flatMap((question) => {
        const before = byId.get(question.id);
        return before === undefined || before.type !== question.type
          ? []
          : [withTextsOfQuestion(question, before)];
      }),
    })),
  };
}

function withTextsOfQuestion(question: Question, published: Question): Question {
  const labels = new Map(published.options.map(({ code, label }) => [code, label]));
  const texts = published.settings as Readonly<Record<string, unknown>>;
  const settings: Record<string, unknown> = { ...question.settings };
  for (const name of TEXT_SETTINGS) if (name in settings) settings[name] = texts[name];
  Object.assign(settings, typeOf(question).publishedParts(question, published));
  return {
    ...question,
    text: published.text,
    options: question.options.flatMap((option) => {
      const label = labels.get(option.code);
      return label === undefined ? [] : [{ ...option, label }];
    }),
    settings,
    // The settings are those of the question's own type, which the compiler cannot follow over the union.
  } as Question;
}

/** Returns the columns with the labels of the published version; `catalog` is that of the draft. */
export function publishedCatalog(
  catalog: ColumnCatalog,
  draft: SurveyDefinition,
  published: SurveyDefinition,
): ColumnCatalog {
  const derived = catalog.columns.flatMap(({ origin }) =>
    origin.kind === 'derived' ? [origin.derived] : [],
  );
  return new ColumnCatalog(withPublishedTexts(draft, published), derived, {
    waves: catalog.waves,
    absences: catalog.absences,
  });
}

/** Translates labels of the draft to those of the published version. */
export class PublishedLabels {
  private codes: Map<string, string> | null = null;
  private readonly valuesByColumn = new Map<string, Map<string, string | null>>();

  constructor(
    private readonly draft: ColumnCatalog,
    private readonly published: ColumnCatalog,
  ) {}

  /**
   * Returns the published label of a column or question, or null if it was never published. Keeps `byDefault` if it differs from the
   * draft's label.
   */
  columnLabel(code: string, byDefault?: string): string | null {
    const label = findLabel(this.published, code);
    return label === null || byDefault === undefined || byDefault === findLabel(this.draft, code)
      ? label
      : byDefault;
  }

  /** Returns the published label of the column with this draft label, or the label itself if no column has it. */
  translateLabel(label: string): string {
    this.codes ??= new Map(this.draft.columns.map(({ spec }) => [spec.label, spec.columnCode]));
    const code = this.codes.get(label);
    return (code === undefined ? null : this.columnLabel(code)) ?? label;
  }

  /**
   * Returns the published label of a value, or of a row or option of a whole question, whose draft label is `label`; null if it was never
   * published. Keeps labels of values that come from the data.
   */
  valueLabel(code: string, value: string, label: string): string | null {
    let labels = this.valuesByColumn.get(code);
    if (labels === undefined) {
      const published = new Map(valuesOf(this.published, code).map((each) => [each.valueName, each.label]));
      labels = new Map(
        valuesOf(this.draft, code).map((each) => [valueKey(each), published.get(each.valueName) ?? null]),
      );
      this.valuesByColumn.set(code, labels);
    }
    const publishedLabel = labels.get(valueKey({ value, label }));
    return publishedLabel === undefined ? label : publishedLabel;
  }
}

interface NamedValue {
  value: string;
  label: string;
}

/** Value and label together: a rank can equal an option value, and a row label a column label. */
const valueKey = ({ value, label }: NamedValue): string => JSON.stringify([value, label]);

const findLabel = (catalog: ColumnCatalog, code: string): string | null =>
  catalog.find(code)?.spec.label ?? catalog.question(code)?.question.text ?? null;

function valuesOf(catalog: ColumnCatalog, code: string): (NamedValue & { valueName: string })[] {
  const values = (list: readonly NamedValue[]) =>
    list.map(({ value, label }) => ({ value, label, valueName: `value ${value}` }));
  const found = catalog.find(code);
  if (found !== undefined) return values(found.spec.values);
  const question = catalog.question(code)?.question;
  if (question === undefined) return [];
  const rows = rowsOf(question);
  return [
    ...values(question.options),
    ...rows.map(({ row_code: value, row_label: label }) => ({ value, label, valueName: `row ${value}` })),
  ];
}
