import type { Dimension, WeightingRequest } from '../../../../src/domain/weighting/weighting-cells.ts';

/** A dimension with the values of the targets (and `more`) and the given answers; null is missing. */
export function dimension(
  columnCode: string,
  answers: readonly (string | null)[],
  targets: Readonly<Record<string, number>>,
  more: readonly { value: string; missing?: boolean }[] = [],
): Dimension {
  const named = Object.keys(targets).map((value) => ({ value, missing: false }));
  const values = [...named, ...more].map(({ value, missing = false }, index) => ({
    code: index + 1,
    value,
    number: index + 1,
    label: `Label ${value}`,
    missing,
  }));
  const indexOf = new Map(values.map(({ value }, index) => [value, index]));
  return {
    spec: { columnCode, values },
    indices: Int16Array.from(answers, (answer) => (answer === null ? -1 : indexOf.get(answer)!)),
    targets: Object.entries(targets).map(([value, target]) => ({ value, target })),
  };
}

export function request(
  dimensions: readonly Dimension[],
  changes: Partial<WeightingRequest> = {},
): WeightingRequest {
  return {
    dimensions,
    targetType: 'percent',
    mask: new Uint8Array(dimensions[0]?.indices.length ?? 0).fill(1),
    baseWeights: null,
    maxIterations: 50,
    tolerance: 1e-6,
    minWeight: null,
    maxWeight: null,
    missing: 'keep_share',
    scaleTo: 'sample',
    ...changes,
  };
}
