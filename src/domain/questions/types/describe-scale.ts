type ScaleEnd = readonly [point: number, label: string | null];

/** Describes a scale by its ends: `from 1 “Never” to 5`. */
export function describeScale(min: ScaleEnd, max: ScaleEnd): string {
  const describeEnd = ([point, label]: ScaleEnd) => (label === null ? String(point) : `${point} “${label}”`);
  return `from ${describeEnd(min)} to ${describeEnd(max)}`;
}

/** Number of digits after the decimal point. */
export function digitsAfterPoint(value: number): number {
  return /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
}
