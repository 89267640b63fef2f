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
  name_changed: 'has another name here, within the rules of SPSS',
  file_label_cut: `The label of the file was cut to ${MAX_FILE_LABEL_BYTES} bytes`,
  variable_label_cut: `label cut to ${MAX_VARIABLE_LABEL_BYTES} bytes`,
  value_label_cut: `labels of values cut to ${MAX_VALUE_LABEL_BYTES} bytes`,
  set_label_cut: `label of the set cut to ${MAX_VARIABLE_LABEL_BYTES} bytes`,
  labelled_value_cut: 'labelled values cut to the width of the variable',
  missing_value_cut: 'missing values cut to 8 bytes',
  text_cut: 'texts cut to the width of the variable',
  texts_too_long: `has texts of more than ${MAX_STRING_BYTES} bytes, which are cut`,
  missing_value_left_out: `missing values left out: SPSS has room for ${MAX_MISSING_VALUES}, or a range`,
  set_left_out: 'set left out: it has one variable only',
  cell_unreadable: 'cells that are no number were left out',
};

/**
 * The documents of the file, which `DISPLAY DOCUMENTS` shows: what is said of it, and what of the dictionary had no room. Lines have 80
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
  const heading = losses.length === 0 ? [] : ['What this file had no room for when it was exported:'];
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
