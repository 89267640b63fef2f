import { texts } from '../../../texts.ts';
import type { Schema } from '../../data/api.ts';
import { questionLabel } from '../../data/question-label.ts';
import type { WrittenOut } from '../../data/written-out-questions.ts';
import { textInWords } from '../../editor/piping/pipes.ts';
import {
  BOUNDS,
  dateFilter,
  listFilter,
  NUMBER_FILTER,
  numberFilter,
  TEXT_FILTER,
} from '../../question-types/filter-sides.ts';
import type { FilterSide } from '../../question-types/question-type.ts';
import { reasonValues } from '../../question-types/no-answers.ts';
import { studioTypeOf, takesAnswers } from '../../question-types/registry.ts';
import { ANSWERED } from '../../question-types/shared-parts.ts';
import { languageName } from '../../responses/grid-columns.ts';
import { haveSameTarget, type ViewFilter } from '../results-view.ts';

const t = texts.filters;

/** What one filter asks: an answer as a whole, a part of it, or another column. */
export interface FilterTarget extends Pick<ViewFilter, 'code' | 'part'> {
  /** Name of the part; null: the whole. */
  label: string | null;
  side: FilterSide;
}

/** A question, or a column about the response, with everything that filters can ask of it. */
export interface FilterField {
  code: string;
  name: string;
  /** Heading in the list. */
  group: string;
  /** Whether new filters can use it. A question that is no longer asked only names the filters that exist. */
  isOffered: boolean;
  /** What its parts are called; null: it has none. */
  partLabel: string | null;
  /** The first one is the default. */
  targets: readonly [FilterTarget, ...FilterTarget[]];
}

/** Replaces placeholders in the names of values by the short names of their questions. */
const withNamedPipes = (side: FilterSide, questions: readonly Schema<'Question'>[]): FilterSide => ({
  ...side,
  values: side.values.map(({ value, label }) => ({ value, label: textInWords(label, questions) })),
});

function fieldOfQuestion(
  question: Schema<'Question'>,
  group: string,
  /** Of the survey. */
  questions: readonly Schema<'Question'>[],
): FilterField {
  const { question_code: code, retired } = question;
  const name = questionLabel(question);
  const { whole, parts } = studioTypeOf(question).filter;
  const partSide = parts?.side(question);
  const reasons = reasonValues(question.question_settings);
  const complete = (bare: FilterSide): FilterSide => {
    const named = withNamedPipes(bare, questions);
    return reasons.length === 0
      ? named
      : { ...named, operators: [...named.operators, 'gave_reason'], reasons };
  };
  const side = partSide === undefined ? undefined : complete(partSide);
  const targets =
    side === undefined
      ? []
      : (parts?.list(question) ?? []).map((part) => ({
          ...part,
          label: textInWords(part.label, questions),
          side,
        }));
  const wholeTarget = {
    code,
    part: null,
    label: targets.length > 0 ? texts.editor.logic.wholeAnswer : null,
    side: complete(whole(question)),
  };
  const [first, ...others] = targets;
  return {
    code,
    name,
    group,
    isOffered: !retired,
    partLabel: parts?.label ?? null,
    targets: first === undefined ? [wholeTarget] : [first, ...others, wholeTarget],
  };
}

/** Returns the cells of a column of a table as one field, whose parts are the rows. */
function fieldOfTableColumn(
  cells: readonly WrittenOut<Schema<'Question'>>[],
  group: string,
  questions: readonly Schema<'Question'>[],
): FilterField[] {
  const fields = cells.map((cell) => fieldOfQuestion(cell, group, questions));
  const targets = fields.flatMap(({ targets: [target] }, index) => ({
    ...target,
    label: cells[index]?.cell?.rowLabel ?? null,
  }));
  const [first, ...others] = targets;
  const [field] = fields;
  const place = cells[0]?.cell;
  if (field === undefined || first === undefined || place === undefined) return [];
  return [
    {
      ...field,
      code: place.columnName,
      name: place.columnTitle,
      partLabel: texts.editor.logic.row,
      targets: [first, ...others],
    },
  ];
}

/** The questions in their order, cells of the same column of a table together. */
function groupCells(
  questions: readonly WrittenOut<Schema<'Question'>>[],
): WrittenOut<Schema<'Question'>>[][] {
  const groups = new Map<string, WrittenOut<Schema<'Question'>>[]>();
  for (const question of questions) {
    const key = question.cell?.columnName ?? question.question_code;
    groups.set(key, [...(groups.get(key) ?? []), question]);
  }
  return [...groups.values()];
}

/** Returns the questions of the survey in their order, grouped by page if there are several. */
export function fieldsOfQuestions(
  pages: readonly { page_title: string | null; questions: readonly WrittenOut<Schema<'Question'>>[] }[],
): FilterField[] {
  const all = pages.flatMap(({ questions }) => questions);
  return pages.flatMap(({ page_title: title, questions }, index) => {
    const page = title === null || title === '' ? t.page(index + 1) : title;
    const group = pages.length > 1 ? page : t.questions;
    return groupCells(questions.filter(takesAnswers)).flatMap((together) =>
      together[0]?.cell === undefined
        ? together.map((question) => fieldOfQuestion(question, group, all))
        : fieldOfTableColumn(together, group, all),
    );
  });
}

function fieldOfColumn(code: string, name: string, side: FilterSide): FilterField {
  const target = { code, part: null, label: null, side };
  return { code, name, group: t.aboutResponse, isOffered: true, partLabel: null, targets: [target] };
}

export const LINK_COLUMN = 'link_id';
export const WAVE_COLUMN = 'wave_id';
/** The checks that flagged a response, as one text. */
export const FLAGS_COLUMN = 'quality_flags';

const dayFilter = dateFilter('date', [...BOUNDS, 'equals']);

/** Returns the columns about the response. Those with only one value are left out. */
export function fieldsAboutResponse({
  languages,
  links,
  waves,
}: {
  languages: readonly string[];
  links: readonly Pick<Schema<'Link'>, 'link_id' | 'link_name'>[];
  waves: readonly Pick<Schema<'Wave'>, 'wave_id' | 'wave_name'>[];
}): FilterField[] {
  const { responses } = texts;
  const oneOf = (code: string, name: string, values: FilterSide['values']): FilterField[] =>
    values.length < 2 ? [] : [fieldOfColumn(code, name, listFilter(values, ['in', 'not_in']))];
  const checks = Object.entries(responses.checks).map(([value, label]) => ({ value, label }));
  return [
    fieldOfColumn('started_at', responses.started, dayFilter),
    fieldOfColumn('completed_at', responses.completed, dayFilter),
    fieldOfColumn('duration_seconds', t.columns.duration, numberFilter(BOUNDS)),
    ...oneOf(
      'language',
      responses.language,
      languages.map((value) => ({ value, label: languageName(value) })),
    ),
    ...oneOf(
      LINK_COLUMN,
      t.columns.link,
      links.map(({ link_id: id, link_name: label }) => ({ value: String(id), label })),
    ),
    ...oneOf(
      WAVE_COLUMN,
      t.columns.wave,
      waves.map(({ wave_id: id, wave_name: label }) => ({ value: String(id), label })),
    ),
    fieldOfColumn(
      'quality_status',
      responses.review,
      listFilter(
        Object.entries(responses.reviewStates).map(([value, label]) => ({ value, label })),
        ['in', 'not_in'],
      ),
    ),
    fieldOfColumn(
      FLAGS_COLUMN,
      responses.flags,
      listFilter(checks, ['contains', 'answered', 'not_answered'], 'flags'),
    ),
  ];
}

type Column = Schema<'Column'>;

function sideOfColumn({ type, values, precision }: Column): FilterSide | null {
  switch (type) {
    case 'categorical':
      return listFilter(values, ['in', 'not_in', ...ANSWERED]);
    case 'multiple':
      return listFilter(values, ['in', 'includes_all', 'includes_none', ...ANSWERED], 'choices');
    case 'binary':
      return listFilter(
        [
          { value: '1', label: texts.responses.yes },
          { value: '0', label: texts.responses.no },
        ],
        ['in', ...ANSWERED],
      );
    case 'number':
    case 'rank':
      return NUMBER_FILTER;
    case 'date':
      return dateFilter(precision ?? 'date');
    case 'text':
      return TEXT_FILTER;
    case 'file':
      return null;
  }
}

/** Returns the columns that are derived from answers, such as age groups, and those of the arms of experiments. */
export const fieldsOfDerivedColumns = (
  columns: readonly Column[],
  armCodes: readonly string[] = [],
): FilterField[] =>
  columns.flatMap((column) => {
    const isArm = armCodes.includes(column.column_code);
    const side = column.source === 'derived' || isArm ? sideOfColumn(column) : null;
    if (side === null) return [];
    const field = fieldOfColumn(column.column_code, column.label, side);
    return [{ ...field, group: isArm ? t.arms : t.derivedColumns, isOffered: !column.retired }];
  });

/** Returns the field and the part of it that a filter asks; undefined if the survey does not have it. */
export function findTarget(
  fields: readonly FilterField[],
  filter: Pick<ViewFilter, 'code' | 'part'>,
): { field: FilterField; target: FilterTarget } | undefined {
  for (const field of fields) {
    const target = field.targets.find((each) => haveSameTarget(each, filter));
    if (target !== undefined) return { field, target };
  }
  return undefined;
}
