import { joinLabels } from '../questions/answers/codec.ts';
import { isRecord } from '../questions/answers/read-answer.ts';
import { textsIn, translationFor } from '../questions/localize.ts';
import type { OptionInput } from '../questions/option-input.ts';
import { type OptionsResult, reconcileOptions, toOptionFields } from '../questions/options.ts';
import { MAX_PART_NUMBERS, type Table, type TableColumn } from '../questions/question-type.ts';
import { questionSettingsSchemas, type QuestionType, tableOf, takesOptions } from '../questions/registry.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { loopAround } from './loops.ts';
import { FIRST_COPY_ID } from './copy-ids.ts';
import type { Option, Question, SurveyDefinition } from './definition.ts';

/** A cell's number is unique: the column's number times this, plus that of the row. */
const NUMBERS_OF_ROWS = MAX_PART_NUMBERS.row_number + 1;

/** `Q1_use`: the name of a column of a table in figures. */
export const codeOfColumn = (tableCode: string, columnCode: string): string => `${tableCode}_${columnCode}`;

/** `Q1_use_r1`: the code of a cell. */
const codeOfCell = (tableCode: string, columnCode: string, rowCode: string): string =>
  `${codeOfColumn(tableCode, columnCode)}_${rowCode}`;

/** Returns the options of a column, as those of a question. */
function optionsOfColumn({ options = [] }: TableColumn): Option[] {
  return options.map((input, index) => {
    const option: Exclude<OptionInput, string> = typeof input === 'string' ? { option_label: input } : input;
    return {
      code: option.option_code ?? index + 1,
      value: String(option.option_value ?? option.option_label),
      label: option.option_label,
      order: option.option_order ?? index + 1,
      image: option.option_image ?? null,
      exclusive: option.option_exclusive ?? false,
      other: option.option_other ?? false,
      anchor: option.option_anchor ?? false,
      missing: option.option_missing ?? false,
      retired: option.retired ?? false,
    };
  });
}

type CompletedTable = { ok: true; table: Table } | { ok: false; problems: ErrorDetail[] };

/**
 * Returns a table with the codes of its options, and with numbers of its rows and columns, which stay when the order changes. Problem
 * fields look like `columns[0].options[2].option_code`.
 *
 * @param before the table as it was stored; null: it is new
 * @param dataExist whether options keep their codes and values, and are retired instead of removed
 */
export function completeTable(before: Table | null, table: Table, dataExist: boolean): CompletedTable {
  const problems: ErrorDetail[] = [];
  const columns = withNumbers(
    table.columns,
    before?.columns ?? [],
    'column_number',
    ({ column_code: code }) => code,
  ).map((column, index) => {
    if (column.options === undefined) return column;
    const known = before?.columns.find(({ column_code: code }) => code === column.column_code);
    const existing = known === undefined ? [] : optionsOfColumn(known);
    const result: OptionsResult = reconcileOptions({
      // The schema of the settings allows question types only.
      type: column.column_type as QuestionType,
      existing,
      input: column.options,
      dataExist,
      highestCode: Math.max(0, ...existing.map(({ code }) => code)),
    });
    if (!result.ok) {
      problems.push(...result.problems.map((one) => ({ ...one, field: `columns[${index}].${one.field}` })));
      return column;
    }
    const options = result.options.map((option) => ({
      ...toOptionFields(option),
      ...(option.retired && { retired: true }),
    }));
    return { ...column, options };
  });
  const rows = withNumbers(table.rows, before?.rows ?? [], 'row_number', ({ row_code: code }) => code);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, table: { rows, columns } };
}

/** Gives each part the number that a part with this code had, else the one that it brings if no other has it, else a free one. */
function withNumbers<
  Name extends keyof typeof MAX_PART_NUMBERS,
  T extends { [N in Name]?: number | undefined },
>(parts: readonly T[], before: readonly T[], name: Name, codeOf: (part: T) => string): T[] {
  const known = new Map(before.map((part) => [codeOf(part), part[name]]));
  const taken = new Set<number | undefined>(known.values());
  const numbers = parts.map((part) => {
    const own = known.get(codeOf(part));
    const brought = part[name];
    if (own !== undefined || brought === undefined || taken.has(brought)) return own;
    taken.add(brought);
    return brought;
  });
  for (const number of numbers) taken.add(number);
  const addNumber = (): number => {
    const next = Math.max(0, ...[...taken].map((number) => number ?? 0)) + 1;
    let free = next <= MAX_PART_NUMBERS[name] ? next : 1;
    while (taken.has(free)) free++;
    taken.add(free);
    return free;
  };
  return parts.map((part, index) => ({ ...part, [name]: numbers[index] ?? addNumber() }));
}

/** Returns the settings of a question without retired options of a table. */
export function settingsWithoutRetired(question: Question): Question['settings'] {
  const table = tableOf(question);
  if (table === null) return question.settings;
  const columns = table.columns.map(({ options, ...column }) => ({
    ...column,
    ...(options !== undefined && {
      options: options.filter((option) => typeof option === 'string' || option.retired !== true),
    }),
  }));
  return { ...question.settings, columns } as Question['settings'];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Returns the texts of a cell in each language of the table. */
function cellTranslations(
  question: Question,
  { column_code: columnCode, column_label: columnLabel }: TableColumn,
  { row_code: rowCode, row_label: rowLabel }: Table['rows'][number],
): Question['settings']['translations'] {
  const { translations } = question.settings;
  if (translations === null) return null;
  return Object.fromEntries(
    Object.keys(translations).map((language) => {
      const given = translationFor(translations, language);
      const texts = textsIn(given);
      const entriesOf = (group: string): [string, string][] => {
        const labels = isRecord(given) && isRecord(given[group]) ? given[group] : {};
        const start = `${columnCode}.`;
        return Object.entries(labels).flatMap(([key, label]) =>
          key.startsWith(start) && isText(label) ? [[key.slice(start.length), label]] : [],
        );
      };
      const own = entriesOf('column_texts');
      const isPoint = ([key]: [string, string]) => /^-?\d+$/.test(key);
      return [
        language,
        {
          question_text: joinLabels(
            texts.text('question_text', question.text),
            texts.entry('columns', columnCode, columnLabel),
            texts.entry('rows', rowCode, rowLabel),
          ),
          options: Object.fromEntries(entriesOf('column_options')),
          point_labels: Object.fromEntries(own.filter(isPoint)),
          ...Object.fromEntries(own.filter((entry) => !isPoint(entry))),
        },
      ];
    }),
  );
}

/** Returns the question with the cells of its table, column by column; their settings are those of a question of the column's type. */
function writeOutTable(question: Question, { rows, columns }: Table): Question[] {
  const { settings } = question;
  const { logic, hidden, report_label: reportLabel } = settings;
  const cells = columns.flatMap((column, columnIndex) => {
    const type = column.column_type as QuestionType;
    const own = questionSettingsSchemas[type].safeParse({ ...column.column_settings, hidden });
    if (!own.success) return [];
    const options = takesOptions(type) ? optionsOfColumn(column) : [];
    return rows.map((row, rowIndex): Question => {
      const number =
        (column.column_number ?? columnIndex + 1) * NUMBERS_OF_ROWS + (row.row_number ?? rowIndex + 1);
      const label = (text: string) => joinLabels(text, column.column_label, row.row_label);
      return {
        id: question.id + number * FIRST_COPY_ID,
        pageId: question.pageId,
        type,
        text: label(question.text),
        code: codeOfCell(question.code, column.column_code, row.row_code),
        required: column.column_required,
        settings: {
          ...own.data,
          report_label: reportLabel === null ? null : label(reportLabel),
          logic: logic?.display === undefined ? null : { display: logic.display },
          translations: cellTranslations(question, column, row),
        },
        options,
        retired: question.retired,
        cell: { tableId: question.id, columnCode: column.column_code, rowCode: row.row_code },
        // The settings are those of the column's type, which the compiler cannot follow over the union.
      } as unknown as Question;
    });
  });
  return [question, ...cells];
}

/** Returns the question and, of a table, its cells. */
export function questionWithCells(question: Question): Question[] {
  const table = tableOf(question);
  return table === null ? [question] : writeOutTable(question, table);
}

/**
 * Returns the definition in which the cells of each table follow it as questions (`Q1_use_r1`). The same object if there is no table. Tables
 * in loops, which cannot be published, stay as they are.
 */
export function writeOutTables(definition: SurveyDefinition): SurveyDefinition {
  const { blocks, pages } = definition;
  if (!pages.some(({ questions }) => questions.some((question) => tableOf(question) !== null)))
    return definition;
  return {
    ...definition,
    pages: pages.map((page) =>
      loopAround(blocks, page.blockId) === null
        ? { ...page, questions: page.questions.flatMap(questionWithCells) }
        : page,
    ),
  };
}
