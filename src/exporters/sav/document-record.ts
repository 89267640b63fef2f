import { fitText, int32, padWithSpaces } from './bytes.ts';
import {
  MAX_FILE_LABEL_BYTES,
  MAX_MISSING_VALUES,
  MAX_VALUE_LABEL_BYTES,
  MAX_VARIABLE_LABEL_BYTES,
} from './limits.ts';
import type { SavLoss, SavReport } from './sav-report.ts';
import { MAX_STRING_BYTES } from './string-width.ts';

const RECORD_TYPE = 6;
const LINE_BYTES = 80;
const MAX_LINES = 2_000;

const LOSS_MESSAGES: Readonly<Record<SavLoss, string>> = {
  name_changed: 'renamed to follow the naming rules of SPSS',
  file_label_cut: `file label truncated to ${MAX_FILE_LABEL_BYTES} bytes`,
  variable_label_cut: `label truncated to ${MAX_VARIABLE_LABEL_BYTES} bytes`,
  value_label_cut: `value labels truncated to ${MAX_VALUE_LABEL_BYTES} bytes`,
  set_label_cut: `set label truncated to ${MAX_VARIABLE_LABEL_BYTES} bytes`,
  labelled_value_cut: 'labelled values truncated to the width of the variable',
  missing_value_cut: 'missing values truncated to 8 bytes',
  text_cut: 'texts truncated to the width of the variable',
  texts_too_long: `texts truncated to ${MAX_STRING_BYTES} bytes`,
  missing_value_left_out: `missing values left out: SPSS allows ${MAX_MISSING_VALUES}, or a range and one value`,
  set_left_out: 'set left out: it has only one variable',
  cell_unreadable: 'cells that are not numbers left out',
};

/**
 * The document record, which `DISPLAY DOCUMENTS` shows: notes on the file, and what was truncated or left out of the dictionary. Lines have 80
 * bytes.
 */
export function documentRecord(documents: readonly string[], report: SavReport): Buffer {
  const losses = report
    .lines()
    .slice(0, MAX_LINES)
    .map(({ loss, name, count }) => {
      const times = count > 1 ? ` (${count})` : '';
      return `${name === '' ? '' : `${name}: `}${LOSS_MESSAGES[loss]}${times}`;
    });
  const heading = losses.length === 0 ? [] : ['Changes required by the SPSS format:'];
  const lines = [...documents, ...heading, ...losses];
  if (lines.length === 0) return Buffer.alloc(0);
  return Buffer.concat([
    int32(RECORD_TYPE, lines.length),
    ...lines.map((line) =>
      padWithSpaces(
        fitText(line, LINE_BYTES, () => undefined),
        LINE_BYTES,
      ),
    ),
  ]);
}
