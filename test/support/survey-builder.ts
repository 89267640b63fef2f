import {
  type Option,
  type Page,
  PLAIN_PAGE,
  PLAIN_SURVEY,
  type Question,
  type QuestionType,
  type QuestionWithType,
  type SurveyDefinition,
} from '../../src/domain/survey/definition.ts';
import type { PageLogic } from '../../src/domain/questions/logic-schema.ts';
import {
  questionSettingsSchemas,
  type SettingsOf,
  takesOptions,
} from '../../src/domain/questions/registry.ts';

/** Questions without a code or id: `survey` numbers them Q1, Q2 … in order. */
const unnamed = new WeakSet<Question>();

/** An option by its value (label "Option <value>", code = the value or its place), or in detail. */
function options(...given: (string | Partial<Option>)[]): Option[] {
  const values = given.map((item, index) =>
    typeof item === 'string' ? item : (item.value ?? String(item.code ?? index + 1)),
  );
  const integers = values.every((value) => /^-?\d+$/.test(value));
  return given.map((item, index) => {
    const value = values[index]!;
    return {
      code: integers ? Number(value) : index + 1,
      value,
      label: `Option ${value}`,
      order: index + 1,
      image: null,
      exclusive: false,
      other: false,
      anchor: false,
      missing: false,
      retired: false,
      ...(typeof item === 'string' ? {} : item),
    };
  });
}

const TABLE = {
  rows: [{ row_code: 'r1', row_label: 'Row r1', row_number: 1 }],
  columns: [{ column_code: 'a', column_label: 'Column a', column_number: 1, column_type: 'number' }],
};

export interface QuestionInput<T extends QuestionType> {
  id?: number;
  code?: string;
  text?: string;
  required?: boolean;
  retired?: boolean;
  settings?: Partial<SettingsOf<T>>;
  options?: (string | Partial<Option>)[];
}

/** A question with sensible defaults: choice types have options 1, 2, 3, a matrix rows r1, r2. */
export function question<T extends QuestionType>(type: T, input: QuestionInput<T> = {}): QuestionWithType<T> {
  const byDefault = { matrix: { rows: rows('r1', 'r2') }, side_by_side: TABLE };
  const settings = {
    ...(Object.hasOwn(byDefault, type) && byDefault[type as keyof typeof byDefault]),
    ...input.settings,
  };
  const built = {
    id: input.id ?? 1,
    pageId: 1,
    type,
    text: input.text ?? `A ${type} question`,
    code: input.code ?? 'Q1',
    required: input.required ?? false,
    settings: questionSettingsSchemas[type].parse(settings),
    options: options(...(input.options ?? (takesOptions(type) ? ['1', '2', '3'] : []))),
    retired: input.retired ?? false,
  } as unknown as QuestionWithType<T>;
  if (input.code === undefined) unnamed.add(built);
  return built;
}

export function rows(...codes: string[]): { row_code: string; row_label: string }[] {
  return codes.map((code) => ({ row_code: code, row_label: `Row ${code}` }));
}

export function page(...questions: Question[]): Page {
  return { id: 0, title: null, description: null, logic: null, ...PLAIN_PAGE, retired: false, questions };
}

export function pageWith(
  extras: Partial<Page> & { logic?: PageLogic | null },
  ...questions: Question[]
): Page {
  return { ...page(...questions), ...extras };
}

/** A survey of pages 1, 2 … and questions 101, 102 …; questions without a code become Q<n>, n their place in the survey. */
export function survey(...pages: Page[]): SurveyDefinition {
  let place = 0;
  pages.forEach((each, index) => {
    each.id = each.id || index + 1;
    for (const item of each.questions) {
      place++;
      item.pageId = each.id;
      if (item.id === 1) item.id = 100 + place;
      if (unnamed.has(item)) item.code = `Q${place}`;
    }
  });
  return { surveyId: 1, version: 0, name: 'A survey', description: null, pages, ...PLAIN_SURVEY };
}
