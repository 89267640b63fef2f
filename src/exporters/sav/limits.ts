export const MAX_FILE_LABEL_BYTES = 64;
export const MAX_VARIABLE_LABEL_BYTES = 255;
export const MAX_VALUE_LABEL_BYTES = 120;
/** Values that count as missing, of one variable. */
export const MAX_MISSING_VALUES = 3;
/** Labels and missing values of wider strings are in separate records. */
export const SHORT_STRING_BYTES = 8;
