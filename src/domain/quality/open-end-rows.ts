import type { CatalogColumn, ColumnCatalog } from '../dataset/columns/column-catalog.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { QualitySettings } from '../survey/settings/quality-settings.ts';
import { findOpenEndFlags, findRepeatedTextFlag } from './open-end.ts';
import type { QualityFlag } from './quality-flag.ts';
import type { RowCheck } from './row-checks.ts';
import { SharedTexts } from './shared-texts.ts';

type OpenEndSettings = QualitySettings['open_end'];

/** The columns of open answers: the listed ones, or every text question without a required format. */
export function findOpenEndColumns(catalog: ColumnCatalog, settings: OpenEndSettings): CatalogColumn[] {
  if (settings.column_codes !== null) {
    return settings.column_codes
      .flatMap((code) => catalog.find(code) ?? [])
      .filter(({ spec }) => spec.type === 'text');
  }
  return catalog.columns.filter(({ origin, spec }) => {
    const question = origin.kind === 'question' ? origin.questionColumns.question : null;
    return question?.type === 'text' && question.settings.format === 'none' && !spec.retired;
  });
}

interface OpenEnd {
  columnCode: string;
  maxLength: number;
  texts: readonly (string | null)[];
  shared: SharedTexts;
}

/**
 * Checks open answers of a dataset. Call `addRow` for every row, then `finishCounting`, then `evaluate`, because texts shared by many
 * respondents must be counted first.
 */
export class OpenEndCheck {
  private readonly openEnds: OpenEnd[];

  constructor(
    dataset: Dataset,
    columns: readonly CatalogColumn[],
    private readonly settings: OpenEndSettings,
  ) {
    this.openEnds = columns.flatMap((entry) => {
      const column = dataset.column(entry);
      const { columnCode } = entry.spec;
      const shared = new SharedTexts(columnCode, settings);
      return column.kind === 'text'
        ? [{ columnCode, maxLength: maxTextLength(entry), texts: column.texts, shared }]
        : [];
    });
  }

  addRow(row: number): void {
    if (!this.settings.repeated) return;
    for (const { texts, shared } of this.openEnds) {
      const text = texts[row] ?? null;
      if (text !== null) shared.add(text);
    }
  }

  finishCounting(): RowCheck {
    const { settings } = this;
    for (const { shared } of this.openEnds) shared.finish();
    return {
      check: 'open_end',
      thresholds: {
        min_length: settings.min_length,
        max_keyboard_share: settings.gibberish ? settings.max_keyboard_share : null,
        min_repeats: settings.gibberish ? settings.min_repeats : null,
        max_letter_share: settings.gibberish ? settings.max_letter_share : null,
        max_shared_share: settings.repeated ? settings.max_shared_share : null,
        min_shared: settings.repeated ? settings.min_shared : null,
        shared_min_length: settings.repeated ? settings.shared_min_length : null,
        min_identical: settings.repeated ? settings.min_identical : null,
        columns: this.openEnds.length,
      },
      evaluate: (row) => this.evaluate(row),
    };
  }

  private evaluate(row: number): QualityFlag[] | null {
    const flags: QualityFlag[] = [];
    const openAnswers: { columnCode: string; text: string }[] = [];
    for (const openEnd of this.openEnds) {
      const text = openEnd.texts[row] ?? null;
      if (text === null) continue;
      flags.push(...findOpenEndFlags(text, openEnd, this.settings));
      openAnswers.push({ columnCode: openEnd.columnCode, text });
      const shared = this.settings.repeated ? openEnd.shared.createFlag(text) : null;
      if (shared !== null) flags.push(shared);
    }
    if (openAnswers.length === 0) return null;
    const same = this.settings.repeated ? findRepeatedTextFlag(openAnswers, this.settings) : null;
    return same === null ? flags : [...flags, same];
  }
}

/** The longest answer that the question accepts. */
function maxTextLength({ origin }: CatalogColumn): number {
  const question = origin.kind === 'question' ? origin.questionColumns.question : null;
  return question?.type === 'text' ? question.settings.max_length : Infinity;
}
