import { UTC } from '../../lib/time-zone.ts';
import { type CellCodec, type CellReader, joinLabels } from '../questions/answers/codec.ts';
import { type ComputedColumn, derivedLoadCode, isFrozen } from './computed-column.ts';
import type { QuestionRow } from '../questions/question-type.ts';
import { cellCodecFor, tableOf, typeOf } from '../questions/registry.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../survey/definition.ts';
import { blocksAround, type LoopItem } from '../survey/blocks.ts';
import { authoredId } from '../survey/copy-ids.ts';
import { expandDefinition } from '../survey/expand-definition.ts';
import { codeOfColumn } from '../survey/tables.ts';
import { withPreviousPage } from '../survey/previous-questions.ts';
import { withDataLabels } from '../survey/logic/data-labels.ts';
import type { OptionAbsence } from '../columns/option-absences.ts';
import type { ColumnSpec, ColumnValue } from '../columns/column-spec.ts';
import {
  DELETED_FLAG,
  METADATA_COLUMNS,
  type MetadataColumn,
  VERSION_COLUMN,
  WAVE_COLUMN,
} from '../responses/metadata-columns.ts';
import { presentationColumns } from './presentation-columns.ts';
import { findSimilar } from '../../lib/error-messages.ts';

/** A question and its data columns. */
export interface QuestionColumns {
  /** The question with the labels used in data outputs (withDataLabels). */
  question: Question;
  codec: CellCodec;
  /** Columns of a data file, parallel to the cells that the codec returns. */
  columns: readonly ColumnSpec[];
  /** Multiple-response sets: `Q2` of a multiple choice; one per row, `Q3_<row_code>`, of a matrix with multiple answers. */
  sets: readonly ColumnSpec[];
}

/** The source of a column's data. */
type ColumnOrigin =
  | { kind: 'metadata'; metadata: MetadataColumn }
  | { kind: 'question'; questionColumns: QuestionColumns; part: 'column' | 'set'; index: number }
  /** `missingSources`: source codes that no longer exist; the column then has no values. */
  | { kind: 'derived'; derived: ComputedColumn; missingSources: readonly string[] };

export interface CatalogColumn {
  spec: ColumnSpec;
  /**
   * Load codes it requires, in this order: its question, and the survey version if only some offer its option; or the metadata column
   * itself; for a derived column all its sources, then its own code.
   */
  loadCodes: readonly string[];
  origin: ColumnOrigin;
}

const METADATA_BY_CODE: ReadonlyMap<string, MetadataColumn> = new Map(
  METADATA_COLUMNS.map((column) => [column.spec.columnCode, column]),
);

const foldCase = (code: string) => code.toLowerCase();

/** Returns the columns of a question, whether or not it is retired. */
export function questionColumns(question: Question): QuestionColumns {
  const codec = cellCodecFor(question);
  const columns = codec.columns(question);
  const set = codec.setColumn?.(question);
  return { question, codec, columns, sets: set ? [set] : (codec.rowSets?.columns(question) ?? []) };
}

/** Adds to the 0/1 columns the versions without their options, and to the sets the names of these options. */
function withAbsences(
  questionColumns: QuestionColumns,
  absences: readonly OptionAbsence[] | undefined,
): QuestionColumns {
  if (absences === undefined || questionColumns.sets.length === 0) return questionColumns;
  const { options } = questionColumns.question;
  let binaries = 0;
  const columns = questionColumns.columns.map((spec) => {
    if (spec.type !== 'binary') return spec;
    // In a matrix there is one for each option in each row.
    const option = options[binaries++ % options.length];
    const absentIn = absences.filter(({ optionCode }) => optionCode === option?.code);
    return absentIn.length === 0 ? spec : { ...spec, absentIn };
  });
  const codes = new Set(absences.map(({ optionCode }) => optionCode));
  const sometimesAbsent = options.filter(({ code }) => codes.has(code)).map(({ label }) => label);
  const sets = questionColumns.sets.map((spec) => ({ ...spec, sometimesAbsent }));
  return { ...questionColumns, columns, sets };
}

/** Returns the cells of answers to a question, prepared for many of them. */
export function cellReaderOf({ codec, question }: QuestionColumns): CellReader {
  return codec.cellReader?.(question) ?? ((answer) => codec.toCells(question, answer));
}

/** Returns the column or multiple-response set of the part of a question at an index. */
export function partColumnAt(questionColumns: QuestionColumns, index: number): CatalogColumn | undefined {
  const { question, columns, sets } = questionColumns;
  const part = sets.length > 0 ? 'set' : 'column';
  const spec = (part === 'set' ? sets : columns)[index];
  return (
    spec && {
      spec,
      loadCodes: [question.code],
      origin: { kind: 'question', questionColumns, part, index },
    }
  );
}

/** Returns the column of a part that conditions name by `row_code`; a code in another case is found if no code is equal. */
export function partColumn(questionColumns: QuestionColumns, partCode: string): CatalogColumn | undefined {
  const { question } = questionColumns;
  const codes = (typeOf(question).comparison.parts?.list(question) ?? []).map(({ code }) => code);
  const exact = codes.indexOf(partCode);
  const folded = foldCase(partCode);
  return partColumnAt(
    questionColumns,
    exact >= 0 ? exact : codes.findIndex((code) => foldCase(code) === folded),
  );
}

/** Builds the catalog entries of derived columns. Resolves sources first, independent of the order of the list. */
function derivedColumns(derived: readonly ComputedColumn[], catalog: ColumnCatalog): CatalogColumn[] {
  const byCode = new Map(derived.map((one) => [foldCase(one.spec.columnCode), one]));
  const entries = new Map<ComputedColumn, CatalogColumn>();
  const createEntry = (one: ComputedColumn): CatalogColumn => {
    const existing = entries.get(one);
    if (existing !== undefined) return existing;
    const missingSources: string[] = [];
    const entry: CatalogColumn = {
      spec: one.spec,
      loadCodes: [],
      origin: { kind: 'derived', derived: one, missingSources },
    };
    // Registered before its sources are resolved, so that a cycle (which validation prevents) terminates.
    entries.set(one, entry);
    // Frozen values do not depend on other columns.
    const { definition } = one;
    const sources = isFrozen(definition) ? [] : one.sources;
    const loadCodes = sources.flatMap((code) => {
      const other = byCode.get(foldCase(code));
      const source = other === undefined ? catalog.loadCodesOf(code) : createEntry(other).loadCodes;
      if (source === undefined) missingSources.push(code);
      return source ?? [];
    });
    entry.loadCodes = [...new Set([...loadCodes, derivedLoadCode(one.spec.columnCode)])];
    return entry;
  };
  return derived.map(createEntry);
}

/** A column of a side-by-side table, whose cells are questions. */
export interface TableColumnCells {
  /** The table. */
  question: Question;
  columnCode: string;
  /** `Q1_use`. */
  code: string;
  label: string;
  cells: readonly { row: QuestionRow; questionId: number }[];
}

interface CatalogOptions {
  waves?: readonly ColumnValue[];
  timeZone?: string;
  absences?: readonly OptionAbsence[];
}

/** All columns of a survey's data in the order of a data file, with their sources. */
export class ColumnCatalog {
  /** Metadata, then question columns, then derived columns. Multiple-response sets are found by code but not listed. */
  readonly columns: readonly CatalogColumn[];
  /** The survey's waves in order of their start. */
  readonly waves: readonly ColumnValue[];
  /** Options that published versions do not offer. */
  readonly absences: readonly OptionAbsence[];
  readonly #expanded: SurveyDefinition;
  readonly #byCode = new Map<string, CatalogColumn>();
  readonly #questions = new Map<string, QuestionColumns>();
  /** Columns with what chance decided, by load code. */
  readonly #presentation = new Map<string, MetadataColumn>();

  constructor(
    /** As its authors know it, with loops as blocks. */
    readonly authored: SurveyDefinition,
    derived: readonly ComputedColumn[] = [],
    readonly options: CatalogOptions = {},
  ) {
    const { waves = [], timeZone = UTC, absences = [] } = options;
    const definition = withPreviousPage(expandDefinition(authored));
    this.#expanded = definition;
    this.waves = waves;
    this.absences = absences;
    const absencesOf = new Map<number, OptionAbsence[]>();
    for (const absence of absences)
      absencesOf.set(absence.questionId, [...(absencesOf.get(absence.questionId) ?? []), absence]);
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
      const columnsOfQuestion = withAbsences(
        questionColumns(question),
        absencesOf.get(authoredId(question.id)),
      );
      const loadCodes = [question.code];
      this.#questions.set(foldCase(question.code), columnsOfQuestion);
      columnsOfQuestion.columns.forEach((spec, index) =>
        columns.push({
          spec,
          loadCodes: spec.absentIn === undefined ? loadCodes : [question.code, VERSION_COLUMN],
          origin: { kind: 'question', questionColumns: columnsOfQuestion, part: 'column', index },
        }),
      );
      columnsOfQuestion.sets.forEach((spec, index) =>
        sets.push({
          spec,
          loadCodes,
          origin: { kind: 'question', questionColumns: columnsOfQuestion, part: 'set', index },
        }),
      );
    }
    const taken = new Set(columns.map(({ spec }) => foldCase(spec.columnCode)));
    for (const { loadCode, metadata } of presentationColumns(definition)) {
      // A question that was published with this code keeps its column.
      if (taken.has(foldCase(metadata.spec.columnCode))) continue;
      columns.push({ spec: metadata.spec, loadCodes: [loadCode], origin: { kind: 'metadata', metadata } });
      this.#presentation.set(loadCode, metadata);
    }
    this.columns = columns;
    this.#index([...sets, ...columns]);
    const derivedEntries = derivedColumns(derived, this);
    columns.push(...derivedEntries);
    this.#index(derivedEntries);
  }

  #index(columns: readonly CatalogColumn[]): void {
    // A column takes precedence over a set of the same code, which matrix row codes can produce.
    for (const column of columns) this.#byCode.set(foldCase(column.spec.columnCode), column);
  }

  /** Finds a column or multiple-response set by its code, ignoring case. */
  find(code: string): CatalogColumn | undefined {
    return this.#byCode.get(foldCase(code));
  }

  /** Returns the load codes that a column, a set or a whole question requires. */
  loadCodesOf(code: string): readonly string[] | undefined {
    const question = this.question(code)?.question.code;
    return this.find(code)?.loadCodes ?? (question === undefined ? undefined : [question]);
  }

  /** All load codes: metadata columns and questions. */
  get loadCodes(): string[] {
    return [
      ...new Set(
        this.columns.flatMap(({ origin, loadCodes }) => (origin.kind === 'derived' ? [] : loadCodes)),
      ),
    ];
  }

  /** Returns the derived column of a load code. */
  derivedByLoadCode(loadCode: string): CatalogColumn | undefined {
    return loadCode.startsWith('=') ? this.find(loadCode.slice(1)) : undefined;
  }

  /** Returns the metadata column of a load code. */
  metadataByLoadCode(loadCode: string): MetadataColumn | undefined {
    return METADATA_BY_CODE.get(loadCode) ?? this.#presentation.get(loadCode);
  }

  /** Finds a question by its code, ignoring case. */
  question(code: string): QuestionColumns | undefined {
    return this.#questions.get(foldCase(code));
  }

  questionById(id: number): QuestionColumns | undefined {
    return [...this.#questions.values()].find(({ question }) => question.id === id);
  }

  /** Returns the copies of a question in a loop, by the id that authors know, in the order of the items; empty: it is in none. */
  loopedQuestions(authoredQuestionId: number): { id: number; blockCode: string; item: LoopItem }[] {
    const { blocks, pages } = this.#expanded;
    return pages.flatMap((page) => {
      const itemBlock = blocksAround(blocks, page.blockId).find(({ item }) => item !== undefined);
      const loop = blocks.find(({ id }) => id === itemBlock?.parentId);
      if (itemBlock?.item === undefined || loop === undefined) return [];
      const { item } = itemBlock;
      return page.questions.flatMap(({ id }) =>
        authoredId(id) === authoredQuestionId ? [{ id, blockCode: loop.code, item }] : [],
      );
    });
  }

  /** Returns the column of a table by its name (`Q1_use`), ignoring case; null: there is none. */
  tableColumn(code: string): TableColumnCells | null {
    const folded = foldCase(code);
    const tables = questionsOf(this.#expanded, 'all').filter((question) => tableOf(question) !== null);
    return (
      tables
        .flatMap(({ id }) => this.tableColumns(id))
        .find(({ code: columnCode }) => foldCase(columnCode) === folded) ?? null
    );
  }

  /** Returns the columns of a table with their cells, in their order; empty: the question is no table. */
  tableColumns(questionId: number): TableColumnCells[] {
    const questions = questionsOf(this.#expanded, 'all');
    const found = questions.find(({ id }) => id === questionId);
    const table = found === undefined ? null : tableOf(found);
    if (found === undefined || table === null) return [];
    const question = this.question(found.code)?.question ?? found;
    return table.columns.map(({ column_code: columnCode, column_label: label }) => ({
      question,
      columnCode,
      code: codeOfColumn(question.code, columnCode),
      label: joinLabels(question.text, label),
      cells: table.rows.flatMap((row) => {
        const cell = questions.find(
          ({ cell: place }) =>
            place?.tableId === questionId &&
            place.columnCode === columnCode &&
            place.rowCode === row.row_code,
        );
        return cell === undefined ? [] : [{ row, questionId: cell.id }];
      }),
    }));
  }

  /** Returns the column of a part that conditions name by `row_code`: its column, or its multiple-response set. */
  partColumn(questionCode: string, partCode: string): CatalogColumn | undefined {
    const columnsOfQuestion = this.question(questionCode);
    return columnsOfQuestion && partColumn(columnsOfQuestion, partCode);
  }

  /** Returns up to three known codes similar to an unknown one. */
  similarCodes(code: string): string[] {
    return findSimilar(
      code,
      [...this.#byCode.values()].map(({ spec }) => spec.columnCode),
    );
  }
}

/** For files that include deleted responses. Not in any catalog: no other output has deleted rows. */
export const DELETED_COLUMN: CatalogColumn = {
  spec: DELETED_FLAG.spec,
  loadCodes: [],
  origin: { kind: 'metadata', metadata: DELETED_FLAG },
};

/** The codes of the questions of these columns, each once. */
export const listQuestionCodes = (columns: readonly CatalogColumn[]): string[] => [
  ...new Set(
    columns.flatMap(({ origin }) =>
      origin.kind === 'question' ? [origin.questionColumns.question.code] : [],
    ),
  ),
];

/** Returns the 0/1 columns of a multiple-response set, one per option. */
export function binaryColumnsOfSet(
  { columns, sets }: QuestionColumns,
  setIndex: number,
): readonly ColumnSpec[] {
  const flags = columns.filter(({ type }) => type === 'binary');
  // A matrix has one per option for each row, row by row.
  const perSet = flags.length / Math.max(1, sets.length);
  return flags.slice(setIndex * perSet, (setIndex + 1) * perSet);
}
