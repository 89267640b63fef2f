import { METADATA_CODES } from '../survey/questions/question-codes.ts';
import { EXPORT_FORMAT, EXPORT_VERSION } from '../survey/transfer/survey-export.ts';
import { ColumnScan } from './column-scan.ts';
import { IMPORTED_METADATA, type ImportedMetadata, unescaped } from './match-columns.ts';
import { planSet, type SetMember } from './plan-set.ts';
import { planTableColumn } from './plan-table-column.ts';
import { planVariable } from './plan-variable.ts';
import type { PlannedQuestion, PlannedVariable } from './planned-variable.ts';
import type { SourceColumn, SourceFile, SourceVariable } from './source-file.ts';
import { VariableCodes } from './variable-codes.ts';

const QUESTIONS_PER_PAGE = 20;

/** What becomes of one column of a file that becomes a survey. */
export type SurveyVariable = PlannedVariable & {
  /** The column of the new survey; null: none. */
  columnCode: string | null;
  questionCode: string | null;
};

export interface SurveyPlan {
  /** As `POST /api/surveys/import` takes it. */
  document: Record<string, unknown>;
  questionCount: number;
  /** Parallel to the file's columns. */
  variables: SurveyVariable[];
  notes: string[];
}

interface ReadAs {
  isCsv: boolean;
  decimalComma: boolean;
}

const readAs = ({ format, delimiter }: SourceFile): ReadAs => ({
  isCsv: format === 'csv',
  decimalComma: format === 'csv' && delimiter !== ',',
});

/** Looks at the columns of a file: one scan for each, to be fed with every cell. */
export function columnScans(file: SourceFile): ColumnScan[] {
  return file.columns.map(({ header }) => {
    const name = unescaped(header).trim().toLowerCase();
    return new ColumnScan(IMPORTED_METADATA.find((code) => code === name) ?? null, readAs(file));
  });
}

/** A survey whose questions are the variables of a file. */
export function planSurvey(file: SourceFile, scans: readonly ColumnScan[], surveyName: string): SurveyPlan {
  const planner = new Planner(file, scans);
  planner.planSets();
  file.columns.forEach((column, index) => planner.planColumn(column, index));
  const { questions, notes } = planner;
  const pages: object[] = [];
  for (let start = 0; start < questions.length; start += QUESTIONS_PER_PAGE)
    pages.push({ questions: questions.slice(start, start + QUESTIONS_PER_PAGE) });
  return {
    document: { format: EXPORT_FORMAT, version: EXPORT_VERSION, survey: { survey_name: surveyName, pages } },
    questionCount: questions.length,
    variables: planner.variables as SurveyVariable[],
    notes,
  };
}

class Planner {
  readonly questions: (PlannedQuestion & { question_code: string })[] = [];
  readonly variables: (SurveyVariable | undefined)[];
  readonly notes: string[] = [];
  private readonly file: SourceFile;
  private readonly scans: readonly ColumnScan[];
  private readonly codes = new VariableCodes();
  private readonly usedMetadata = new Set<string>();
  /** Of the first member of each set, the question that goes there. */
  private readonly setsAt = new Map<number, () => void>();

  constructor(file: SourceFile, scans: readonly ColumnScan[]) {
    this.file = file;
    this.scans = scans;
    this.variables = file.columns.map(() => undefined);
  }

  planSets(): void {
    const { columns, sets, weight } = this.file;
    const byName = new Map(columns.map(({ header }, index) => [header, index]));
    const free = new Set(byName.values());
    for (const set of sets) {
      const members = set.variables.flatMap((name): SetMember[] => {
        const index = byName.get(name);
        if (index === undefined || !free.has(index)) return [];
        const column = columns[index]! as SourceColumn & { variable: SourceVariable };
        return [{ index, column, scan: this.scans[index]! }];
      });
      const planned = planSet(set, members);
      if (typeof planned === 'string') {
        this.notes.push(`The set ${set.name} ${planned}`);
        continue;
      }
      this.notes.push(...planned.notes.map((note) => `The set ${set.name} ${note}`));
      for (const { index } of planned.members) free.delete(index);
      const first = Math.min(...planned.members.map(({ index }) => index));
      this.setsAt.set(first, () => {
        const parts = planned.members.map(({ optionCode }) => `_${codePart(optionCode)}`);
        const questionCode = this.codes.take(set.name, first, parts);
        this.questions.push({ ...planned.question, question_code: questionCode });
        planned.members.forEach(({ index, optionCode, convert }, i) => {
          const columnCode = questionCode + parts[i]!;
          const made = { use: 'option' as const, set: set.name, optionCode, convert };
          this.variables[index] = { ...made, notes: [], columnCode, questionCode };
        });
      });
    }
    if (weight !== null)
      this.notes.push(
        `${weight} weights the cases of the file: here it is a number, to be named as weight_column`,
      );
  }

  planColumn(column: SourceColumn, index: number): void {
    this.setsAt.get(index)?.();
    if (this.variables[index] !== undefined) return;
    const scan = this.scans[index]!;
    const name = unescaped(column.header).trim().toLowerCase();
    const metadata = this.metadataOf(name, scan);
    if (metadata !== null) {
      this.variables[index] = metadata;
      return;
    }
    const planned =
      column.variable === null
        ? planTableColumn(column.header, scan, readAs(this.file))
        : planVariable(column, column.variable, scan, column.header === this.file.weight);
    if (planned.use !== 'question') return;
    const code = this.codes.take(unescaped(column.header), index);
    if (code.toLowerCase() !== name) planned.notes.push(`is called ${code} here`);
    this.questions.push({ ...planned.question, question_code: code });
    this.variables[index] = { ...planned, columnCode: code, questionCode: code };
  }

  /** Names of our own exports: the facts of a response, and what the server keeps itself. */
  private metadataOf(name: string, scan: ColumnScan): SurveyVariable | null {
    if (!METADATA_CODES.includes(name)) return null;
    const base = { convert: (cell: string | number | null) => cell, questionCode: null };
    const column = IMPORTED_METADATA.find((code): code is ImportedMetadata => code === name);
    if (column === undefined) {
      return { ...base, use: 'nothing', columnCode: null, notes: ['is kept by the server, not imported'] };
    }
    if (!scan.isMetadata || this.usedMetadata.has(name)) return null;
    this.usedMetadata.add(name);
    return { ...base, use: 'metadata', column, columnCode: column, notes: [] };
  }
}

/** As column codes have it: no minus sign. */
const codePart = (code: number): string => (code < 0 ? `m${-code}` : String(code));
