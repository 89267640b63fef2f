import type { CatalogColumn, ColumnCatalog, QuestionColumns } from '../dataset/columns/column-catalog.ts';
import type { ColumnSpec } from '../dataset/columns/column-spec.ts';
import { WAVE_COLUMN } from '../dataset/columns/metadata-columns.ts';

type VariableKind = 'choice' | 'multiple' | 'number' | 'nps' | 'text' | 'date' | 'battery' | 'file';

/** A variable of the survey: a question, a matrix row, or a derived column. */
export interface Variable {
  /** The code that functions accept. */
  code: string;
  label: string;
  kind: VariableKind;
  options: readonly { value: string; label: string }[];
  /** For a battery: the codes of its parts, which are also variables. */
  parts: readonly string[];
  /** The code of its battery. */
  partOf: string | null;
}

/** The variables of a survey. */
export interface Vocabulary {
  variables: readonly Variable[];
  hasWaves: boolean;
}

function kindOf({ type, measure }: ColumnSpec): VariableKind {
  switch (type) {
    case 'categorical':
    case 'binary':
      return 'choice';
    case 'multiple':
      return 'multiple';
    case 'number':
      return measure === 'nominal' ? 'choice' : 'number';
    case 'rank':
      return 'number';
    default:
      return type;
  }
}

function toVariable(spec: ColumnSpec, extras: Partial<Variable> = {}): Variable {
  const options = spec.values.map(({ value, label }) => ({ value, label }));
  return {
    code: spec.columnCode,
    label: spec.label,
    kind: kindOf(spec),
    options,
    parts: [],
    partOf: null,
    ...extras,
  };
}

function questionVariables({ question, columns, sets }: QuestionColumns): Variable[] {
  const { code, text, type } = question;
  if (type === 'matrix' || type === 'ranking') {
    const specs = sets.length > 0 ? sets : columns.filter((spec) => spec.type !== 'text');
    const parts = specs.map((spec) => toVariable(spec, { partOf: code }));
    const battery: Variable = {
      code,
      label: text,
      kind: 'battery',
      options: [],
      parts: parts.map((part) => part.code),
      partOf: null,
    };
    return [battery, ...parts];
  }
  if (type === 'multiple_choice')
    return [...sets, ...columns.filter((spec) => spec.type === 'text')].map((spec) => toVariable(spec));
  return columns.map((spec, index) => toVariable(spec, type === 'nps' && index === 0 ? { kind: 'nps' } : {}));
}

const isUsableDerivedColumn = ({ origin, spec }: CatalogColumn) =>
  origin.kind === 'derived' && origin.missingSources.length === 0 && spec.source !== 'weight';

/** Builds the vocabulary: live questions in order, then derived columns. */
export function buildVocabulary(catalog: ColumnCatalog): Vocabulary {
  const questions = new Map<string, QuestionColumns>();
  for (const { origin } of catalog.columns)
    if (origin.kind === 'question' && !origin.questionColumns.question.retired)
      questions.set(origin.questionColumns.question.code, origin.questionColumns);
  const derived = catalog.columns.filter(isUsableDerivedColumn).map(({ spec }) => toVariable(spec));
  return {
    variables: [...[...questions.values()].flatMap(questionVariables), ...derived],
    hasWaves: (catalog.find(WAVE_COLUMN)?.spec.values.length ?? 0) > 1,
  };
}
