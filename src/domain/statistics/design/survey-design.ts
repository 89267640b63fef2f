import { type ErrorDetail, unprocessableField } from '../../../lib/errors.ts';
import { unknownObject } from '../../../lib/error-messages.ts';
import type { Column } from '../../columns/columns.ts';
import type { CatalogColumn, ColumnCatalog } from '../../dataset/column-catalog.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type {
  DeclaredLinearizedDesign,
  DeclaredReplicateDesign,
  SamplingDesign,
} from '../../survey/sampling-design.ts';
import {
  buildLinearizedDesign,
  buildReplicateDesign,
  type LinearizedDesignInput,
  type SampleDesign,
} from './sample-design.ts';
import { separateWaves } from './waves.ts';

/** A declared design with the columns that it names. */
export interface ResolvedDesign {
  declared: SamplingDesign;
  weight: CatalogColumn | null;
  strata: CatalogColumn | null;
  /** Of the first stage. */
  clusters: CatalogColumn | null;
  population: CatalogColumn | null;
  replicates: readonly CatalogColumn[];
  loadCodes: string[];
}

/** The roles of a design's columns: its field and code, in the order of the fields. */
function listRoles(design: SamplingDesign): { field: string; code: string; needsNumbers: boolean }[] {
  const weight =
    design.weight == null ? [] : [{ field: 'design.weight', code: design.weight, needsNumbers: true }];
  if (design.method !== 'linearized') {
    const replicates = design.replicates.map((code, index) => {
      return { field: `design.replicates[${index}]`, code, needsNumbers: true };
    });
    return [...weight, ...replicates];
  }
  const { strata, clusters, population } = design;
  const size = population?.column_code;
  return [
    ...weight,
    ...(strata == null ? [] : [{ field: 'design.strata', code: strata, needsNumbers: false }]),
    ...clusters.map((code, index) => ({ field: `design.clusters[${index}]`, code, needsNumbers: false })),
    ...(size == null ? [] : [{ field: 'design.population.column_code', code: size, needsNumbers: true }]),
  ];
}

/** Why a column cannot have the role; null if it can. */
function unsuitableReason({ spec, origin }: CatalogColumn, needsNumbers: boolean): string | null {
  const { columnCode, type } = spec;
  if (needsNumbers) {
    if (type === 'number' && spec.source !== 'metadata') return null;
    return `must be a number column; ${columnCode} is of type ${type}`;
  }
  if (type === 'text' && origin.kind === 'question')
    return `${columnCode} is a text that respondents write; name a choice, a number or a computed column`;
  if (type === 'multiple' || type === 'date' || type === 'file')
    return `${columnCode} is of type ${type}; name a column with one category or number per response`;
  return null;
}

/** The problems of a design's columns in a survey: they do not exist, have the wrong type, or have two roles. */
export function findDesignProblems(design: SamplingDesign, catalog: ColumnCatalog): ErrorDetail[] {
  const roles = listRoles(design);
  return roles.flatMap(({ field, code, needsNumbers }, index): ErrorDetail[] => {
    const entry = catalog.find(code);
    if (entry === undefined) {
      const alternatives = { similar: catalog.similarCodes(code) };
      const message = unknownObject({ kind: 'column', idOrCode: code, scope: '', alternatives });
      return [{ field, message, isUnknownReference: true }];
    }
    const reason = unsuitableReason(entry, needsNumbers);
    if (reason !== null) return [{ field, message: reason }];
    const earlier = roles.slice(0, index).find((role) => catalog.find(role.code) === entry);
    return earlier === undefined ? [] : [{ field, message: `${code} is already the ${earlier.field}` }];
  });
}

/**
 * Finds the columns of a design.
 *
 * @throws 422 for a column that does not exist any more or has another type
 */
export function resolveDesign(declared: SamplingDesign, catalog: ColumnCatalog): ResolvedDesign {
  const [problem] = findDesignProblems(declared, catalog);
  if (problem !== undefined) throw unprocessableField('design_invalid', problem.field, problem.message);
  const find = (code: string | null | undefined) => (code == null ? null : (catalog.find(code) ?? null));
  const isLinearized = declared.method === 'linearized';
  const weight = find(declared.weight);
  const strata = isLinearized ? find(declared.strata) : null;
  const clusters = isLinearized ? find(declared.clusters[0]) : null;
  const population = isLinearized ? find(declared.population?.column_code) : null;
  const replicates = isLinearized ? [] : declared.replicates.flatMap((code) => find(code) ?? []);
  const used = [weight, strata, clusters, population, ...replicates];
  return {
    declared,
    weight,
    strata,
    clusters,
    population,
    replicates,
    loadCodes: used.flatMap((entry) => entry?.loadCodes ?? []),
  };
}

/** The design of a survey with its data. */
export interface SurveyDesign {
  design: SampleDesign;
  /** Responses that are not in the design, by the first column that they lack. A weight that is 0 or negative is none. */
  leftOut: { withoutWeight: number; withoutStratum: number; withoutCluster: number };
  /** Whether each wave has strata of its own; null: waves were not asked for, or there are replicate weights. */
  hasIndependentWaves: boolean | null;
}

interface IndexedGroups {
  /** By row; -1 where missing. */
  indices: Int32Array;
  values: string[];
}

/** Assigns each row of the mask the index of its value, in the order in which the values are found. */
function indexGroups(column: Column, mask: Uint8Array): IndexedGroups {
  const known = new Map<string | number, number>();
  const indices = new Int32Array(mask.length).fill(-1);
  const keyAt = groupKey(column);
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0) continue;
    const key = keyAt(row);
    if (key === null) continue;
    let index = known.get(key);
    if (index === undefined) known.set(key, (index = known.size));
    indices[row] = index;
  }
  return { indices, values: [...known.keys()].map(String) };
}

/** The value of a row as a group; null where missing or flagged as missing. */
function groupKey(column: Column): (row: number) => string | number | null {
  const missing = new Set(column.spec.values.filter((each) => each.missing).map(({ value }) => value));
  if (column.kind === 'numeric') {
    const { values } = column;
    return (row) => {
      const value = values[row]!;
      return Number.isNaN(value) || missing.has(String(value)) ? null : value;
    };
  }
  return (row) => {
    const cell = column.cell(row);
    return cell === null || missing.has(String(cell)) ? null : String(cell);
  };
}

function numbersOf(dataset: Dataset, entry: CatalogColumn): Float64Array {
  const column = dataset.column(entry);
  if (column.kind !== 'numeric') throw new Error(`${entry.spec.columnCode} is stored as ${column.kind}`);
  return column.values;
}

/** The population of each stratum of a column, which has the same value in all rows of a stratum. */
function populationOfColumn(
  values: Float64Array,
  { mask, strata }: { mask: Uint8Array; strata: IndexedGroups | null },
): number[] {
  const field = 'design.population.column_code';
  const found = new Array<number>(strata?.values.length ?? 1).fill(NaN);
  for (let row = 0; row < mask.length; row++) {
    const stratum = strata === null ? 0 : strata.indices[row]!;
    if (mask[row] === 0 || stratum < 0) continue;
    const value = values[row]!;
    const name = strata === null ? 'the sample' : `stratum ${strata.values[stratum]}`;
    if (Number.isNaN(value))
      throw unprocessableField('design_invalid', field, `a response of ${name} has no value`);
    const known = found[stratum]!;
    if (!Number.isNaN(known) && known !== value) {
      const message = `must be the same for all responses of ${name}, but is ${known} and ${value}`;
      throw unprocessableField('design_invalid', field, message);
    }
    found[stratum] = value;
  }
  return found;
}

function readPopulation(
  dataset: Dataset,
  resolved: ResolvedDesign,
  sample: { mask: Uint8Array; strata: IndexedGroups | null },
): LinearizedDesignInput['population'] {
  const { population } = resolved.declared as DeclaredLinearizedDesign;
  if (population == null) return null;
  const { kind, value, by_stratum: known } = population;
  const strata = sample.strata?.values ?? [''];
  if (resolved.population !== null)
    return { kind, byStratum: populationOfColumn(numbersOf(dataset, resolved.population), sample) };
  if (value != null) return { kind, byStratum: strata.map(() => value) };
  const byStratum = strata.map((stratum) => {
    const size = known != null && Object.hasOwn(known, stratum) ? known[stratum] : undefined;
    if (size !== undefined) return size;
    throw unprocessableField(
      'design_invalid',
      'design.population.by_stratum',
      `has no value for stratum "${stratum}"`,
    );
  });
  return { kind, byStratum };
}

/** The replicate weights. Throws 422 if a response of the design has none, or a negative one. */
function readReplicates(dataset: Dataset, { replicates }: ResolvedDesign, isUsed: (row: number) => boolean) {
  return replicates.map((entry, index) => {
    const values = numbersOf(dataset, entry);
    for (let row = 0; row < values.length; row++) {
      if (values[row]! >= 0 || !isUsed(row)) continue;
      const given = Number.isNaN(values[row]!) ? 'no value' : `the value ${values[row]}`;
      const message = `${entry.spec.columnCode} must be 0 or more in every response with a weight; one has ${given}`;
      throw unprocessableField('design_invalid', `design.replicates[${index}]`, message);
    }
    return values;
  });
}

/**
 * Reads a design from the data. Its columns must be loaded.
 *
 * @param mask the responses that were sampled and count; a filter is a domain and does not belong here
 * @param waveColumn for comparisons of waves: see `separateWaves`. Responses without a wave are one of their own
 * @throws 422 if the design does not fit the data
 */
export function buildSurveyDesign(
  dataset: Dataset,
  resolved: ResolvedDesign,
  mask: Uint8Array,
  waveColumn: CatalogColumn | null = null,
): SurveyDesign {
  const { declared } = resolved;
  const weights = resolved.weight === null ? null : numbersOf(dataset, resolved.weight);
  const groupsOf = (entry: CatalogColumn | null) =>
    entry === null ? null : indexGroups(dataset.column(entry), mask);
  const [strata, clusters] = [groupsOf(resolved.strata), groupsOf(resolved.clusters)];
  const leftOut = { withoutWeight: 0, withoutStratum: 0, withoutCluster: 0 };
  const used = mask.slice();
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0) continue;
    const hasWeight = weights === null || weights[row]! > 0;
    const [hasStratum, hasCluster] = [
      strata === null || strata.indices[row]! >= 0,
      clusters === null || clusters.indices[row]! >= 0,
    ];
    if (hasWeight && hasStratum && hasCluster) continue;
    used[row] = 0;
    if (!hasWeight) leftOut.withoutWeight++;
    else if (!hasStratum) leftOut.withoutStratum++;
    else leftOut.withoutCluster++;
  }
  if (declared.method !== 'linearized')
    return {
      design: buildReplicates(dataset, resolved, declared, used),
      leftOut,
      hasIndependentWaves: null,
    };
  const input: LinearizedDesignInput = {
    mask: used,
    weights,
    strata: strata?.indices ?? null,
    clusters: clusters?.indices ?? null,
    population: readPopulation(dataset, resolved, { mask: used, strata }) ?? null,
    lonelyClusters: declared.lonely_clusters,
  };
  const nameStratum = (stratum: number) => strata?.values[stratum] ?? String(stratum + 1);
  const waves = groupsOf(waveColumn);
  if (waves === null)
    return {
      design: buildLinearizedDesign({ ...input, nameStratum }),
      leftOut,
      hasIndependentWaves: null,
    };
  const { areIndependent, stratumOf, ...separated } = separateWaves(
    input,
    waves.indices.map((index) => (index < 0 ? waves.values.length : index)),
  );
  const design = buildLinearizedDesign({
    ...input,
    ...separated,
    nameStratum: (stratum) => nameStratum(stratumOf(stratum)),
  });
  return { design, leftOut, hasIndependentWaves: areIndependent };
}

function buildReplicates(
  dataset: Dataset,
  resolved: ResolvedDesign,
  declared: DeclaredReplicateDesign,
  mask: Uint8Array,
): SampleDesign {
  const weights = numbersOf(dataset, resolved.weight!);
  return buildReplicateDesign({
    mask,
    weights,
    replicates: readReplicates(dataset, resolved, (row) => mask[row] === 1),
    method: declared.method,
    isAroundEstimate: declared.mse,
    ...(declared.rho != null && { rho: declared.rho }),
    ...(declared.scale != null && { scale: declared.scale }),
    ...(declared.rscales != null && { replicateScales: declared.rscales }),
    ...(declared.degrees_of_freedom != null && { degreesOfFreedom: declared.degrees_of_freedom }),
  });
}

/** Names the strata with one cluster, whose variance cannot be estimated. */
export function listLonelyStrata(design: SampleDesign): string[] {
  if (design.kind === 'replicates') return [];
  const { stratumStarts, corrections, nameStratum } = design;
  return [...corrections.keys()]
    .filter(
      (stratum) => stratumStarts[stratum + 1]! - stratumStarts[stratum]! === 1 && corrections[stratum]! > 0,
    )
    .map(nameStratum);
}
