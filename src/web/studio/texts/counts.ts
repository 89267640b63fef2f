const numberFormat = new Intl.NumberFormat('en-GB');

export const formatNumber = (value: number): string => numberFormat.format(value);

/** A number with its noun: "1 survey", "2,000 surveys". */
export const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
