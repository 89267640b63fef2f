import {
  notAllowedFor,
  onlyAllowed,
  requiredField,
  unknownValue,
  withArticle,
} from '../../../lib/error-messages.ts';
import { withNumbers } from '../../columns/option-numbers.ts';
import { invalid, invalidReference, unprocessableField } from '../../../lib/errors.ts';
import { type CatalogColumn, partColumnAt, type QuestionColumns } from '../../dataset/column-catalog.ts';
import type { AnyQuestion } from '../../questions/question.ts';
import type { CompositeKind, FigureRules } from '../../questions/question-type.ts';
import { typeOf } from '../../questions/registry.ts';
import { allowsMeans } from '../../columns/column-spec.ts';
import { type AggregationChoice, type FigureConfig, type FigureKind, isCounting } from '../chart-config.ts';
import { type Measure, resolveMeasure } from './measure.ts';

/** A part of a question, such as a row of a matrix or an option of a ranking, with its data column. */
export interface QuestionPart {
  entry: CatalogColumn;
  code: number | null;
  /** The row_code or option_value. */
  value: string;
  label: string;
}

/** At least one part. */
type QuestionParts = readonly [QuestionPart, ...QuestionPart[]];

/** A question shown as a whole, such as a matrix or a ranking: its parts are the categories. */
export interface CompositeQuestion {
  kind: CompositeKind;
  /** Names of the question and its parts in messages. */
  noun: string;
  partNoun: string;
  /** The default base. */
  base: FigureRules<AnyQuestion>['base'];
  parts: QuestionParts;
  /** The question as a column whose values are the parts. */
  entry: CatalogColumn;
}

/** A part with its measure. */
export interface MeasuredPart {
  part: QuestionPart;
  measure: Measure;
}

/** The parts that a chart shows. */
export interface CompositeParts {
  parts: QuestionParts;
  /** Null: respondents are counted. */
  measured: readonly MeasuredPart[] | null;
}

/** Returns null for a question that is one column or one set. */
export function createCompositeQuestion(questionColumns: QuestionColumns): CompositeQuestion | null {
  const { question } = questionColumns;
  const { composite, base } = typeOf(question).figures;
  if (composite === null) return null;
  const [first, ...others] = composite.parts(question).flatMap(({ code, value, label }, index) => {
    const entry = partColumnAt(questionColumns, index);
    return entry === undefined ? [] : [{ entry, code, value, label }];
  });
  const [column] = questionColumns.columns;
  if (first === undefined || column === undefined) throw new Error(`question ${question.code} has no parts`);
  const parts: QuestionParts = [first, ...others];
  const spec = {
    ...column,
    columnCode: question.code,
    label: question.text,
    type: 'categorical' as const,
    measure: 'nominal' as const,
    values: withNumbers(
      parts.map(({ code, value, label }, index) => ({
        code: code ?? index + 1,
        value,
        label,
        missing: false,
      })),
    ),
    editable: false,
    retired: question.retired,
    precision: null,
  };
  const origin = { kind: 'question', questionColumns, part: 'set', index: 0 } as const;
  const { kind, noun, partNoun } = composite;
  return { kind, noun, partNoun, base, parts, entry: { spec, loadCodes: [question.code], origin } };
}

/** The default aggregation of a chart of a composite question. */
export function compositeAggregation(
  { layout }: FigureKind,
  { kind, parts }: CompositeQuestion,
): AggregationChoice {
  const isSingle = layout === 'single';
  if (kind === 'categories') {
    if (!isSingle) return { function: 'percent' };
    return { function: parts.every(({ entry }) => allowsMeans(entry.spec)) ? 'mean' : 'count' };
  }
  if (kind === 'numbers') return { function: 'mean', ...(isSingle && { value: [parts[0].value] }) };
  if (isSingle) return { function: 'top_box', n: 1, value: [parts[0].value] };
  if (layout === 'stack') return { function: 'percent' };
  return layout === 'slices' ? { function: 'top_box', n: 1 } : { function: 'rank_summary' };
}

/** Whether respondents are counted by rank instead of measuring a number. */
export function countsRanks(
  { kind }: Pick<CompositeQuestion, 'kind'>,
  { function: name }: AggregationChoice,
): boolean {
  return kind === 'ranks' && (isCounting(name) || name === 'top_box' || name === 'rank_summary');
}

/** Returns the parts to show and the measure of each. Throws 400 or 422 for an aggregation that a composite question does not support. */
export function resolveCompositeParts(
  { type, layout }: FigureKind,
  config: FigureConfig & { aggregation: AggregationChoice },
  composite: CompositeQuestion,
): CompositeParts {
  const { aggregation } = config;
  const { function: name, value } = aggregation;
  const ofKind = `${withArticle(composite.noun)} shown as a whole`;
  if (config.nets !== undefined)
    throw invalid('nets', notAllowedFor(ofKind, 'its categories are different questions'));
  if (config.line_aggregation !== undefined)
    throw invalid('line_aggregation', notAllowedFor(ofKind, 'use one of its columns as dimension'));
  if (aggregation.column_code !== undefined)
    throw invalid('aggregation.column_code', notAllowedFor(ofKind, 'its own columns are measured'));
  if (name === 'rank_summary' && composite.kind !== 'ranks')
    throw invalid('aggregation.function', `rank_summary ${onlyAllowed('for a ranking shown as a whole')}`);
  const isMeasured = !isCounting(name) && !countsRanks(composite, aggregation);
  if (composite.kind === 'numbers' && isCounting(name))
    throw invalid(
      'aggregation.function',
      `${name} ${notAllowedFor(ofKind, `each ${composite.partNoun} has a number; use mean, sum or median`)}`,
    );
  if (composite.kind === 'ranks' && (name === 'sum' || name === 'nps'))
    throw unprocessableField('no_number', 'aggregation.function', `${name} ${notAllowedFor('ranks')}`);
  if (layout === 'single' && name === 'rank_summary')
    throw invalid(
      'aggregation.function',
      `rank_summary ${notAllowedFor(`a ${type}`, 'it returns several figures')}`,
    );
  if (config.series !== undefined && (layout === 'stack' || layout === 'slices'))
    throw invalid('series', notAllowedFor(`a ${type} of ${ofKind}`, 'it shows the answers to each part'));
  if (
    config.series !== undefined &&
    (name === 'rank_summary' || (composite.kind === 'categories' && !isMeasured))
  )
    throw invalid(
      'series',
      onlyAllowed(`with an aggregation that returns one figure per part, such as mean, not with ${name}`),
    );
  if (config.compare !== undefined && (config.series === undefined || !isMeasured))
    throw invalid(
      'compare',
      onlyAllowed('with a series and a mean: the same respondents answered all parts'),
    );
  const parts = selectParts({ type, layout }, value, composite);
  if (!isMeasured) return { parts, measured: null };
  const measured = parts.map((part): MeasuredPart => {
    return { part, measure: resolveMeasure(part.entry, aggregation, 'dimension') };
  });
  return { parts, measured };
}

/** For a single figure: the parts that it averages, or the part that it shows. */
function selectParts(
  { type, layout }: Pick<FigureKind, 'type' | 'layout'>,
  value: readonly string[] | undefined,
  { kind, parts, noun, partNoun }: CompositeQuestion,
): QuestionParts {
  if (kind === 'categories' || layout !== 'single') return parts;
  const field = 'aggregation.value';
  if (value?.length !== 1)
    throw invalid(field, requiredField(`for a ${type}: one ${partNoun} of the ${noun}`));
  const part = parts.find((one) => one.value === value[0]);
  if (part === undefined)
    throw invalidReference(field, unknownValue(value[0], `${withArticle(partNoun)} of the ${noun}`));
  return [part];
}
