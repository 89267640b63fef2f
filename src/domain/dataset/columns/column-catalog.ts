import type { AnswerCodec } from '../../answers/codec.ts';
import { isFrozen } from '../../derived/definition.ts';
import { codecFor } from '../../answers/codecs.ts';
import { joinLabels, optionValues } from '../../answers/question-columns.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../../survey/definition.ts';
import { withDataLabels } from '../../survey/logic/data-labels.ts';
import { UTC } from '../../../lib/time-zone.ts';
import type { ColumnSpec, ColumnValue } from './column-spec.ts';
import { type DerivedColumn, derivedLoadCode } from './derived-column.ts';
import { METADATA_COLUMNS, type MetadataColumn, WAVE_COLUMN } from './metadata-columns.ts';
import { findSimilar } from './similar-codes.ts';

/** A question and the columns that its answers become. */
export interface QuestionColumns {
  /** With the texts of data outputs (withDataLabels). */
  question: Question;
  codec: AnswerCodec;
  /** As in a data file, parallel to the cells that the codec makes. */
  columns: readonly ColumnSpec[];
  /** Multiple-response columns: `Q2` of a multiple choice; one per row, `Q3_<row_code>`, of a matrix that takes several. */
  sets: readonly ColumnSpec[];
}

/** Where a column's data come from. */
type ColumnOrigin =
  | { kind: 'metadata'; metadata: MetadataColumn }
  | { kind: 'question'; of: QuestionColumns; part: 'column' | 'set'; index: number }
  /** `missingSources`: codes it is made from that are in no column any more; it then has no values. */
  | { kind: 'derived'; derived: DerivedColumn; missingSources: readonly string[] };

export interface CatalogColumn {
  spec: ColumnSpec;
  /**
   * What has to be loaded for it, in this order: the code of its question, or of the metadata column itself; of a derived column
   * all that it is made from, and its own.
   */
  loadCodes: readonly string[];
  origin: ColumnOrigin;
}

const foldCase = (code: string) => code.toLowerCase();

function matrixRowSets(question: Question, columns: readonly ColumnSpec[]): ColumnSpec[] {
  if (question.type !== 'matrix' || question.settings.matrix_type !== 'multiple') return [];
  const values = optionValues(question.options);
  return question.settings.rows.map(({ row_code, row_label }) => ({
    columnCode: `${question.code}_${row_code}`,
    label: joinLabels(question.text, row_label),
    questionId: question.id,
    type: 'multiple',
    measure: 'nominal',
    source: 'question',
    values,
    editable: columns.every(({ editable }) => editable),
    retired: question.retired,
    precision: null,
  }));
}

/** The columns of a question as it is now, whether or not it is retired. */
export function questionColumns(question: Question): QuestionColumns {
  const codec = codecFor(question);
  const columns = codec.columns(question);
  const set = codec.setColumn?.(question);
  return { question, codec, columns, sets: set ? [set] : matrixRowSets(question, columns) };
}

/** Derived columns, each after those it is made from wherever it stands in the list. */
function derivedColumns(derived: readonly DerivedColumn[], catalog: ColumnCatalog): CatalogColumn[] {
  const byCode = new Map(derived.map((one) => [foldCase(one.spec.columnCode), one]));
  const made = new Map<DerivedColumn, CatalogColumn>();
  const make = (one: DerivedColumn): CatalogColumn => {
    const known = made.get(one);
    if (known !== undefined) return known;
    const missingSources: string[] = [];
    const entry: CatalogColumn = {
      spec: one.spec,
      loadCodes: [],
      origin: { kind: 'derived', derived: one, missingSources },
    };
    // Noted before its sources are looked at: a circle, which nobody can store, would end here.
    made.set(one, entry);
    // Values that were computed once need nothing but themselves.
    const { definition } = one;
    const sources = isFrozen(definition) ? [] : one.sources;
    const loadCodes = sources.flatMap((code) => {
      const other = byCode.get(foldCase(code));
      const source = other === undefined ? catalog.loadCodesOf(code) : make(other).loadCodes;
      if (source === undefined) missingSources.push(code);
      return source ?? [];
    });
    entry.loadCodes = [...new Set([...loadCodes, derivedLoadCode(one.spec.columnCode)])];
    return entry;
  };
  return derived.map(make);
}

/** Every column of a survey's data, in the order of a data file, and where each comes from. */
export class ColumnCatalog {
  /** Metadata first, then the questions' columns, then the derived ones; multiple-response sets are found by their code but not listed. */
  readonly columns: readonly CatalogColumn[];
  /** The survey's waves, in the order of their start. */
  readonly waves: readonly ColumnValue[];
  readonly #byCode = new Map<string, CatalogColumn>();
  readonly #questions = new Map<string, QuestionColumns>();

  constructor(
    definition: SurveyDefinition,
    derived: readonly DerivedColumn[] = [],
    waves: readonly ColumnValue[] = [],
    timeZone = UTC,
  ) {
    this.waves = waves;
    const columns: CatalogColumn[] = METADATA_COLUMNS.map((metadata) => {
      const { spec } = metadata;
      return {
        spec:
          spec.columnCode === WAVE_COLUMN
            ? { ...spec, values: [...waves] }
            : spec.type === 'date'
              ? { ...spec, timeZone }
              : spec,
        loadCodes: [metadata.spec.columnCode],
        origin: { kind: 'metadata', metadata },
      };
    });
    const sets: CatalogColumn[] = [];
    for (const question of questionsOf(withDataLabels(definition), 'all')) {
      const of = questionColumns(question);
      const loadCodes = [question.code];
      this.#questions.set(foldCase(question.code), of);
      of.columns.forEach((spec, index) =>
        columns.push({ spec, loadCodes, origin: { kind: 'question', of, part: 'column', index } }),
      );
      of.sets.forEach((spec, index) =>
        sets.push({ spec, loadCodes, origin: { kind: 'question', of, part: 'set', index } }),
      );
    }
    this.columns = columns;
    this.#index([...sets, ...columns]);
    const made = derivedColumns(derived, this);
    columns.push(...made);
    this.#index(made);
  }

  #index(columns: readonly CatalogColumn[]): void {
    // A set gives way to a column of the same code, which a matrix row named like another's cell could make.
    for (const column of columns) this.#byCode.set(foldCase(column.spec.columnCode), column);
  }

  /** A column, or a multiple-response set, by its code, ignoring case. */
  find(code: string): CatalogColumn | undefined {
    return this.#byCode.get(foldCase(code));
  }

  /** What has to be loaded for a column, a set or a whole question. */
  loadCodesOf(code: string): readonly string[] | undefined {
    const question = this.question(code)?.question.code;
    return this.find(code)?.loadCodes ?? (question === undefined ? undefined : [question]);
  }

  /** Everything that can be loaded: metadata columns and questions. */
  get loadCodes(): string[] {
    return [
      ...new Set(
        this.columns.flatMap(({ origin, loadCodes }) => (origin.kind === 'derived' ? [] : loadCodes)),
      ),
    ];
  }

  /** The derived column that is kept under a load code. */
  derivedByLoadCode(loadCode: string): CatalogColumn | undefined {
    return loadCode.startsWith('=') ? this.find(loadCode.slice(1)) : undefined;
  }

  /** A question by its own code, ignoring case. */
  question(code: string): QuestionColumns | undefined {
    return this.#questions.get(foldCase(code));
  }

  questionById(id: number): QuestionColumns | undefined {
    return [...this.#questions.values()].find(({ question }) => question.id === id);
  }

  /** The column of one row of a matrix: its choice, or its multiple-response set. */
  matrixRow(questionCode: string, rowCode: string): CatalogColumn | undefined {
    const of = this.question(questionCode);
    if (of?.question.type !== 'matrix') return undefined;
    const rows = of.question.settings.rows;
    const index = rows.findIndex(({ row_code }) => foldCase(row_code) === foldCase(rowCode));
    const part = of.sets.length > 0 ? 'set' : 'column';
    const spec = part === 'set' ? of.sets[index] : of.columns[index];
    return spec && { spec, loadCodes: [of.question.code], origin: { kind: 'question', of, part, index } };
  }

  /** Up to three codes that an unknown one may have been meant to be. */
  similarCodes(code: string): string[] {
    return findSimilar(
      code,
      [...this.#byCode.values()].map(({ spec }) => spec.columnCode),
    );
  }
}
