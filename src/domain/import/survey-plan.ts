import { formatOptionCode } from '../questions/answers/codec.ts';
import type { DecimalMark } from '../numbers/read-number-text.ts';
import { METADATA_CODES } from '../survey/question-codes.ts';
import { EXPORT_FORMAT, EXPORT_VERSION, MAX_QUESTIONS } from '../survey/survey-export.ts';
import { ColumnScan, DistinctBudget, GroupScan, type ScanOptions } from './column-scan.ts';
import { IP_ADDRESS_REASON, VariableCodes } from './match-columns.ts';
import { chooseDecimalMarks } from './number-scan.ts';
import { isOwnExport } from './own-export.ts';
import { planCategorySet, planGroup, planSet, type SetMember } from './plan-group.ts';
import {
  notesOnLongLabels,
  planLengths,
  type PlannedQuestion,
  type PlannedVariable,
  planTableColumn,
} from './plan-variable.ts';
import { type PlannedReasons, planReasons, planVariable } from './plan-statistics-variable.ts';
import {
  type ColumnGroup,
  type ColumnRole,
  createMissingCheck,
  IMPORTED_METADATA,
  metadataOfRole,
  type SourceCell,
  type SourceColumn,
  type SourceFile,
  type SourceSet,
} from './source-file.ts';

/** Scans all columns of a file; call `add` for every row, then `finish`. Cells beyond the header create additional columns. */
export class FileScan {
  readonly columns: ColumnScan[];
  readonly groups: readonly { group: ColumnGroup; scan: GroupScan }[];
  readonly sets: readonly { set: SourceSet; scan: GroupScan }[];
  private readonly options: ScanOptions;

  constructor(file: SourceFile, timeZone: string) {
    this.options = {
      mayBeLists: file.layout !== null,
      timeZone,
      budget: new DistinctBudget(),
    };
    this.columns = file.columns.map(
      (column) => new ColumnScan(roleOf(column, file), this.options, column.variable),
    );
    const groups = file.layout?.groups ?? [];
    this.groups = groups.map((group) => {
      return { group, scan: new GroupScan(group.members.map(({ index }) => index)) };
    });
    const byName = new Map(file.columns.map(({ header }, index) => [header, index]));
    const missingChecks = file.columns.map(({ variable }) =>
      variable === null ? null : createMissingCheck(variable),
    );
    this.sets = file.sets.map((set) => {
      const indexes = set.variables.flatMap((name) => byName.get(name) ?? []);
      const scan = new GroupScan(indexes, (cell, index) => missingChecks[index]?.(cell) ?? false);
      return { set, scan };
    });
  }

  add(cells: readonly SourceCell[]): void {
    for (let index = this.columns.length; index < cells.length; index += 1) {
      if ((cells[index] ?? null) === null) continue;
      while (this.columns.length <= index) this.columns.push(new ColumnScan(null, this.options));
    }
    this.columns.forEach((scan, index) => scan.add(cells[index] ?? null));
    for (const { scan } of this.groups) scan.add(cells);
    for (const { scan } of this.sets) scan.add(cells);
  }

  /** Decides how numbers are read, once all rows are scanned. */
  finish(file: Pick<SourceFile, 'delimiter'>, decimalMark: DecimalMark | null): void {
    const numbers = this.columns.map((column) => column.numbers);
    chooseDecimalMarks(numbers, { declared: decimalMark, delimiter: file.delimiter });
  }

  columnAt(index: number): ColumnScan {
    const column = this.columns[index];
    if (column === undefined) throw new RangeError(`The file has no column ${index + 1}`);
    return column;
  }
}

/** Returns the role given by the layout, else by the column name of a Canvass export. */
function roleOf({ header, role }: SourceColumn, { layout }: SourceFile): ColumnRole | null {
  if (role !== undefined) return role;
  if (layout !== null && layout.name !== 'plain') return null;
  const name = header.trim().toLowerCase();
  return IMPORTED_METADATA.find((code) => code === name) ?? null;
}

/** Returns the file with a column for every scan; columns with values but no header get a label. */
export function withScannedColumns(file: SourceFile, { columns: scans }: FileScan): SourceFile {
  const columns = scans.map(({ filled }, index): SourceColumn => {
    const column = file.columns[index] ?? { header: '', label: null, variable: null };
    const isUnnamed = column.header === '' && filled > 0;
    return isUnnamed ? { ...column, label: `Column ${index + 1} (no header)` } : column;
  });
  return { ...file, columns };
}

const QUESTIONS_PER_PAGE = 20;

/** The plan for one column of a file imported as a new survey. */
export type SurveyVariable = PlannedVariable & {
  /** The column of the new survey; null: none. */
  columnCode: string | null;
  questionCode: string | null;
};

/** A column of the new survey that combines several file columns. */
interface CombinedColumn {
  header: string;
  columnCode: string;
  combine: (cells: readonly SourceCell[]) => SourceCell;
}

export interface SurveyPlan {
  /** The body for `POST /api/surveys/import`. */
  document: Record<string, unknown>;
  questionCount: number;
  /** Parallel to the file's columns. */
  variables: SurveyVariable[];
  combinedColumns: CombinedColumn[];
  notes: string[];
}

/** Plans a survey with one question per variable of the file, in the time zone of its timestamps. Yields between columns. */
export function* planSurvey({
  file,
  scan,
  surveyName,
  timeZone,
}: {
  /** With the scanned columns. */
  file: SourceFile;
  scan: FileScan;
  surveyName: string;
  timeZone: string;
}): Generator<void, SurveyPlan> {
  const planner = new SurveyPlanner(file, scan);
  planner.planSets();
  yield* planner.planGroups();
  for (const [index, column] of file.columns.entries()) {
    planner.planColumn(column, index);
    yield;
  }
  planner.addReasons();
  planner.noteLongLabels();
  const { questions, combinedColumns, notes } = planner;
  const pages: object[] = [];
  for (let start = 0; start < questions.length; start += QUESTIONS_PER_PAGE)
    pages.push({ questions: questions.slice(start, start + QUESTIONS_PER_PAGE) });
  return {
    document: {
      format: EXPORT_FORMAT,
      version: EXPORT_VERSION,
      survey: { survey_name: surveyName, settings: { timezone: timeZone }, pages },
    },
    questionCount: questions.length,
    variables: planner.variables as SurveyVariable[],
    combinedColumns: combinedColumns,
    notes,
  };
}

class SurveyPlanner {
  readonly questions: (PlannedQuestion & { question_code: string })[] = [];
  readonly variables: (SurveyVariable | undefined)[];
  readonly combinedColumns: CombinedColumn[] = [];
  readonly notes: string[] = [];
  private readonly codes = new VariableCodes();
  private readonly usedMetadata = new Set<string>();
  /** Columns by name, and the indexes not claimed by a set. */
  private readonly byName: ReadonlyMap<string, { index: number; column: SourceColumn }>;
  private readonly unclaimed: Set<number>;
  /** Whether the file is a Canvass export. Its server-managed columns are ignored; in other files, such columns are answers. */
  private readonly isOwnExport: boolean;
  /** Of open questions with user-missing values, with the index of their column. */
  private readonly reasons: (PlannedReasons & { index: number; column: SourceColumn })[] = [];
  /** By index of the first column of each set or group: adds its question. */
  private readonly questionsAt = new Map<number, () => void>();

  constructor(
    private readonly file: SourceFile,
    private readonly scan: FileScan,
  ) {
    this.variables = file.columns.map(() => undefined);
    this.byName = new Map(file.columns.map((column, index) => [column.header, { index, column }]));
    this.unclaimed = new Set([...this.byName.values()].map(({ index }) => index));
    this.isOwnExport = isOwnExport(file.columns.map(({ header }) => header));
  }

  planSets(): void {
    const { weight } = this.file;
    for (const { set, scan } of this.scan.sets) {
      const { countedValue } = set;
      const refusal =
        countedValue === null
          ? this.planCategories(set, scan)
          : this.planDichotomies({ ...set, countedValue });
      if (refusal !== null) this.notes.push(`The set ${set.name} ${refusal}`);
    }
    if (weight !== null)
      this.notes.push(
        `${weight} weights the cases of the file: here it is a number, to be named as weight_column`,
      );
  }

  private membersOf(set: SourceSet): SetMember[] {
    return set.variables.flatMap((name): SetMember[] => {
      const { index, column } = this.byName.get(name) ?? {};
      if (index === undefined || column?.variable == null || !this.unclaimed.has(index)) return [];
      const { variable } = column;
      return [{ index, column: { ...column, variable }, scan: this.scan.columnAt(index) }];
    });
  }

  /** Returns why the set cannot be one question, or null if it was planned. */
  private planDichotomies(set: SourceSet & { countedValue: string }): string | null {
    const planned = planSet(set, this.membersOf(set));
    if (typeof planned === 'string') return planned;
    const { question, members, notes } = planned;
    this.notes.push(...notes.map((note) => `The set ${set.name} ${note}`));
    this.claimColumns(members, (first) => {
      const suffixes = members.map(({ suffix }) => suffix);
      const questionCode = this.addQuestion(question, { name: set.name, columnIndex: first, suffixes });
      for (const { index, suffix, convert } of members) {
        const columnCode = questionCode + suffix;
        this.variables[index] = { use: 'option', question, notes: [], convert, columnCode, questionCode };
      }
    });
    return null;
  }

  private planCategories(set: SourceSet, scan: GroupScan): string | null {
    const planned = planCategorySet(set, this.membersOf(set), scan);
    if (typeof planned === 'string') return planned;
    const { question, optionCodes, members, answersOf } = planned;
    this.claimColumns(members, (first) => {
      const suffixes = optionCodes.map((code) => `_${formatOptionCode(code)}`);
      const questionCode = this.addQuestion(question, { name: set.name, columnIndex: first, suffixes });
      for (const { index, convert, notes } of members)
        this.variables[index] = {
          use: 'answer',
          question,
          convert,
          notes,
          columnCode: questionCode,
          questionCode,
        };
      this.combinedColumns.push({ header: set.name, columnCode: questionCode, combine: answersOf });
    });
    return null;
  }

  *planGroups(): Generator<void> {
    for (const { group, scan } of this.scan.groups) {
      yield;
      if (group.members.some(({ index }) => !this.isAnswers(index))) continue;
      const planned = planGroup(group, (index) => this.scan.columnAt(index), scan);
      if (planned === null) continue;
      const { question, use, members } = planned;
      this.claimColumns(members, (first) => {
        const suffixes = members.map(({ suffix }) => suffix);
        const { name } = group;
        const questionCode = this.addQuestion(question, { name, columnIndex: first, suffixes });
        for (const { index, suffix, convert } of members) {
          const columnCode = questionCode + suffix;
          this.variables[index] = { use, question, notes: [], convert, columnCode, questionCode };
        }
      });
    }
  }

  private isAnswers(index: number): boolean {
    return this.file.columns[index]?.role === undefined;
  }

  /** Claims several columns for one question, placed at the first of them. */
  private claimColumns(members: readonly { index: number }[], plan: (first: number) => void): void {
    for (const { index } of members) this.unclaimed.delete(index);
    const first = Math.min(...members.map(({ index }) => index));
    this.questionsAt.set(first, () => plan(first));
  }

  private addQuestion(
    question: PlannedQuestion,
    /** `suffixes`: follow the question code in the codes of its columns. */
    { name, columnIndex, suffixes }: { name: string; columnIndex: number; suffixes: readonly string[] },
  ): string {
    const code = this.codes.assign(name, columnIndex, suffixes);
    this.questions.push({ ...question, question_code: code });
    return code;
  }

  planColumn(column: SourceColumn, index: number): void {
    this.questionsAt.get(index)?.();
    if (this.variables[index] !== undefined) return;
    const scan = this.scan.columnAt(index);
    const name = column.header.trim().toLowerCase();
    const other = this.planMetadata(name, scan, column.role !== undefined) ?? this.planIgnored(column, scan);
    if (other !== null) {
      this.variables[index] = other;
      return;
    }
    const namedColumn = name === '' ? { ...column, header: `column_${index + 1}` } : column;
    const planned =
      planLengths(namedColumn, scan) ??
      (column.variable === null
        ? planTableColumn(namedColumn, scan)
        : planVariable({
            column,
            variable: column.variable,
            scan,
            isWeight: column.header === this.file.weight,
          }));
    if (planned.use !== 'question') return;
    const code = this.addQuestion(planned.question, {
      name: column.code ?? namedColumn.header,
      columnIndex: index,
      suffixes: planned.suffixes ?? [],
    });
    if (name !== '' && column.code === undefined && code.toLowerCase() !== name)
      planned.notes.push(`is called ${code} here`);
    if (name === '') {
      planned.notes.push(`has values but no header: it is called ${code} here`);
      this.notes.push(`Column ${index + 1} has values but no header: it is imported as ${code}`);
    }
    if (column.isPersonal === true && scan.filled > 0)
      planned.notes.push('holds personal data: it is imported as answers, and exported with them');
    if (column.role !== undefined)
      planned.notes.push(`has values that are no ${metadataOfRole(column.role)}: taken as answers`);
    this.variables[index] = { ...planned, columnCode: code, questionCode: code };
    const isOpen = column.variable !== null && planned.question.options.length === 0;
    const reasons = isOpen && column.variable !== null ? planReasons(column, column.variable, scan) : null;
    if (reasons !== null) this.reasons.push({ ...reasons, index, column });
  }

  /** Adds a question with the reasons behind each open question; its code must not take that of a variable. */
  addReasons(): void {
    for (const { question, reasonOf, index, column } of this.reasons) {
      if (this.questions.length >= MAX_QUESTIONS) return;
      const header = `${column.header}_reason`;
      const code = this.codes.assign(header, index);
      const position = this.questions.findIndex(
        (one) => one.question_code === this.variables[index]?.questionCode,
      );
      this.questions.splice(position + 1, 0, { ...question, question_code: code });
      this.variables[index]?.notes.push(`the reasons are in ${code}`);
      this.combinedColumns.push({
        header,
        columnCode: code,
        combine: (cells) => reasonOf(cells[index] ?? null),
      });
    }
  }

  /** Notes what is cut of labels, at the columns that have them. */
  noteLongLabels(): void {
    this.file.columns.forEach(({ label, variable }, index) => {
      const labels = (variable?.valueLabels ?? []).map(([, text]) => text);
      this.variables[index]?.notes.push(...notesOnLongLabels(label, labels));
    });
    for (const { group } of this.scan.groups) {
      const [first] = group.members;
      if (first === undefined || this.variables[first.index]?.use === 'question') continue;
      const parts = group.members.flatMap(({ part, option }) => [part.label, option?.label ?? '']);
      this.notes.push(
        ...notesOnLongLabels(group.text, [...new Set(parts)]).map((note) => `${group.name} ${note}`),
      );
    }
    for (const { set } of this.scan.sets)
      this.notes.push(...notesOnLongLabels(set.label).map((note) => `The set ${set.name} ${note}`));
  }

  /** Plans columns that are not imported; null: it is imported. */
  private planIgnored({ header, role }: SourceColumn, scan: ColumnScan): SurveyVariable | null {
    const notes =
      role === 'ip_address'
        ? [IP_ADDRESS_REASON]
        : header === '' && scan.filled === 0
          ? ['has neither a header nor values']
          : null;
    if (notes === null) return null;
    return { use: 'nothing', notes, convert: (cell) => cell, columnCode: null, questionCode: null };
  }

  /** Plans metadata columns, by layout or by the names in Canvass exports, and ignores server-managed ones. */
  private planMetadata(name: string, scan: ColumnScan, isOfLayout: boolean): SurveyVariable | null {
    const base = { convert: (cell: SourceCell) => cell, questionCode: null };
    const { role } = scan;
    const columnCode = role === null ? null : metadataOfRole(role);
    if (role === null || columnCode === null) {
      if (role !== null || !this.isOwnExport || !METADATA_CODES.includes(name)) return null;
      return { ...base, use: 'nothing', columnCode: null, notes: ['is kept by the server, not imported'] };
    }
    if (!this.isMetadata(scan, isOfLayout) || this.usedMetadata.has(columnCode)) return null;
    this.usedMetadata.add(columnCode);
    const others = scan.filled - scan.metadataCells;
    const notes =
      others === 0
        ? []
        : [`has other values than ${columnCode} in ${others} of ${scan.filled} cells: left empty`];
    return { ...base, use: 'metadata', role, columnCode, notes };
  }

  /** Whether the column has the metadata of its role: any cell of a layout or of our exports, at least half of the cells elsewhere. */
  private isMetadata({ filled, metadataCells }: ColumnScan, isOfLayout: boolean): boolean {
    return isOfLayout || this.isOwnExport ? filled === 0 || metadataCells > 0 : 2 * metadataCells >= filled;
  }
}
