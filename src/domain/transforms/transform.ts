import { z } from 'zod';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { ColumnSpec } from '../columns/column-spec.ts';
import type { Column } from '../columns/columns.ts';
import type { ResponseStatus } from '../responses/response-row.ts';
import type { Condition } from '../questions/condition.ts';
import type { Spread } from './numbers.ts';

/** The fields of a request or reply. */
export type Fields = Readonly<Record<string, z.ZodType>>;
type Input<F extends Fields> = z.input<z.ZodObject<F>>;
type Output<F extends Fields> = z.output<z.ZodObject<F>>;

export const columnCode = z.string().min(1).max(120);
export const labelText = z.string().trim().min(1).max(500);

/** The type and the categories of a column, which follow from its definition. */
export type DerivedForm = Pick<ColumnSpec, 'type' | 'measure' | 'values' | 'precision'>;

export function derivedForm(
  type: ColumnSpec['type'],
  measure: ColumnSpec['measure'],
  extras: Partial<DerivedForm> = {},
): DerivedForm {
  return { type, measure, values: [], precision: null, ...extras };
}

/** Numbers with a mean. */
export const NUMBER_FORM = derivedForm('number', 'scale');
export const TEXT_FORM = derivedForm('text', 'nominal');

/** The columns that a definition reads. */
interface SourceColumns {
  /** The code of the source column. */
  source: string;
  /** Responses that do not match have no value (not shown); a string is an expression. Absent: all responses. */
  filter?: Condition | string;
}

/** What the stored definitions of all transforms have. */
export interface SourceDefinition extends SourceColumns {
  kind: string;
  /** The code of the column that weights the parameters, in kinds that accept a weight. */
  weight?: string;
  /** Parameters fixed when the column was created. */
  frozen?: object;
}

/** The data that parameters are computed from. */
export interface SourceData {
  column: Column;
  /** 1 for the rows that count, 0 for others. */
  counted: Uint8Array;
  /** Summarizes the numbers of the counted rows, weighted if the definition has a weight; null if there are none. */
  spread: () => Generator<void, Spread | null>;
}

/** A definition that is impossible with the current data. `invalid`: a field of the request is wrong (400); else 422. */
export interface DataProblem {
  code: 'invalid' | 'no_spread';
  field: string;
  message: string;
}

/** What replies and updates need of a kind of derived column; `computed` has no more. */
export interface ColumnKind<Request extends { kind: string }, Definition, Changes extends Fields> {
  readonly kind: Request['kind'];
  /** The definition in replies. */
  readonly definition: {
    /** The name of the schema in the API document. */
    readonly schemaId: string;
    /** The fields besides `column_code` and `filter`. */
    readonly fields: Fields;
    present(definition: Definition): Record<string, unknown>;
  };
  readonly changes: {
    /** The fields that an update of the column accepts besides `label`, `values` and `filter`. */
    readonly fields: Changes;
    /** Fields that errors name differently, by field. */
    readonly errorFields?: Readonly<Partial<Record<keyof Changes, string>>>;
    check?(changes: Output<Changes>, context: z.RefinementCtx): void;
    /** The parts of existing values that come from the new definition; others are preserved. Default: none. */
    replacedParts?(changes: Output<Changes>): readonly ('label' | 'missing')[];
  };
  /** Returns the request that creates the column with the changes. `labels`: the labels of its present values. */
  update(definition: Definition, changes: Output<Changes>, labels: readonly string[]): Request;
}

/** The parameters of a transform in replies. */
interface DescribedParameters<Definition, Parameters> {
  /** The name of the schema in the API document. */
  readonly schemaId: string;
  readonly fields: Fields;
  /** Names them for the API document: `mean and sd`. */
  readonly summary: string;
  /** Further sentences for the API document. */
  readonly note?: string;
  /** Statuses of the responses that count. Default: complete ones. */
  readonly statuses?: readonly ResponseStatus[];
  /** Returns the fields of replies. `countOutside` counts the numbers of all responses outside a range. */
  describe(
    definition: Definition,
    parameters: Parameters | null,
    countOutside: (range: { min: number; max: number }) => number,
  ): Record<string, unknown>;
  /** `describe` calls `countOutside`. */
  readonly countsOutside?: true;
}

/** Parameters that `complete` computes once. */
interface FixedParameters<Definition, Parameters> extends DescribedParameters<Definition, Parameters> {
  readonly follow?: undefined;
}

/** Parameters that follow the data, unless the definition has frozen ones. */
interface LiveParameters<Definition, Parameters> extends DescribedParameters<Definition, Parameters> {
  /** Computes the parameters; called whenever the data have changed. Returns null without data. */
  follow(data: SourceData, definition: Definition): Generator<void, Parameters | null>;
  /** Why they cannot be frozen without data. */
  noDataMessage(source: ColumnSpec, definition: Definition): string;
}

/**
 * A kind of transform: everything that depends on the kind. registry.ts lists the modules. A request becomes a definition, which is stored
 * and computed for the current responses whenever they are read.
 */
export interface TransformModule<
  Request extends { kind: string; frozen?: boolean | object },
  Definition extends SourceDefinition & { kind: Request['kind'] },
  Body extends Fields,
  Changes extends Fields,
  Parameters extends object = never,
> extends ColumnKind<Request, Definition, Changes> {
  /** The operation `POST /api/responses/:surveyId/transform/<path>`. */
  readonly operation: {
    readonly path: string;
    readonly operationId: string;
    readonly summary: string;
    /** The description after the sentences that all transforms share. */
    readonly description: string;
    readonly example: { column_code: string; target_column_code?: string; label?: string } & Input<Body>;
  };
  /** Suffixes of the code and label of a new column. */
  readonly suffix: { readonly code: string; readonly label: string };
  readonly request: {
    /** The fields besides those of all transforms. */
    readonly fields: Body;
    check?(body: Output<Body>, context: z.RefinementCtx): void;
    read(body: Output<Body>): Request;
    /** Returns why the request does not fit the source column. */
    problems?(request: Request, source: ColumnSpec): ErrorDetail[];
    /** Returns how a request names a field of `problems`, if it can name it in several ways. */
    sentField?(body: Output<Body> | Output<Changes>, field: string): string;
  };
  readonly source: {
    /** Returns why the column cannot be the source, or null if it can. */
    problem(spec: ColumnSpec): string | null;
    /** The same for new columns. Existing columns stay when their source becomes unsuitable in this way. */
    newColumnProblem?(spec: ColumnSpec): string | null;
  };
  /** Creates the definition without what is computed from the data. */
  draft(request: Request, columns: SourceColumns): Definition;
  /** Adds what is computed from the data once, at creation. Frozen parameters are added without it. */
  complete?(request: Request, draft: Definition, data: SourceData): Generator<void, Definition | DataProblem>;
  form(definition: Definition, request: Request, source: ColumnSpec): DerivedForm;
  /**
   * Writes the value of every row selected by `wanted` (1) into the target; missing values keep their reason. Yields regularly so that other
   * work can run.
   */
  compute(
    source: Column,
    wanted: Uint8Array,
    definition: Definition,
    target: Column,
    parameters: Parameters | null,
  ): Generator<void>;
  /** Numbers computed from the data, such as a mean. */
  readonly parameters?: FixedParameters<Definition, Parameters> | LiveParameters<Definition, Parameters>;
  /** Results that replace the values of the source column. */
  readonly overwrite: {
    /** Returns why the column cannot hold the results, or null if it can. */
    typeProblem(spec: ColumnSpec): string | null;
    /** Whether a row without a result loses its value; default: it keeps it. */
    mayEmpty?(definition: Definition): boolean;
    /** Returns which results the question does not accept, as far as the definition tells. */
    valueProblems?(definition: Definition, source: ColumnSpec): ErrorDetail[];
    /** Returns the field of the request that only new columns can have. */
    newColumnField?(request: Request): ErrorDetail | null;
    /** Changes the request for overwriting. */
    adapt?(request: Request): Request;
  };
}

const PARAMETER_MODES = ['live', 'frozen'] as const;

interface Freezable {
  frozen?: object;
}

/** The field of requests for parameters that can be frozen. */
const parametersField = z
  .enum(PARAMETER_MODES)
  .default('live')
  .describe('`live`: recomputed when the responses change. `frozen`: computed once');

/** The same in updates. */
const parametersChange = z
  .enum(PARAMETER_MODES)
  .optional()
  .describe('`live`: recomputed when the responses change. `frozen`: computed once, now');

/** Parts of the modules of transforms whose parameters follow the data unless they are frozen. */
export const liveParameters = {
  requestFields: { parameters: parametersField },
  changeFields: { parameters: parametersChange },
  /** Of the definition in replies. */
  definitionFields: { parameters: z.enum(PARAMETER_MODES) },
  presentDefinition: ({ frozen }: Freezable) => ({ parameters: frozen === undefined ? 'live' : 'frozen' }),
  /** Of the parameters in replies. */
  replyFields: { frozen: z.boolean() },
  describe: ({ frozen }: Freezable) => ({ frozen: frozen !== undefined }),
};

/**
 * Returns the frozen parameters after an update: true if they are to be computed from the current data, false if they follow the data.
 * `affected`: the update changes how they are computed.
 */
export function updateFrozen<Parameters extends object>(
  { frozen }: { frozen?: Parameters },
  { parameters }: { parameters?: 'live' | 'frozen' | undefined },
  affected = false,
): boolean | Parameters {
  if (parameters !== undefined) return parameters === 'frozen';
  if (frozen === undefined) return false;
  return affected || frozen;
}
