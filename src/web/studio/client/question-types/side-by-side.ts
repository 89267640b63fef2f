import { texts } from '../../texts.ts';
import { ONLY_ANSWERED_FILTER } from './filter-sides.ts';
import type { StudioQuestionType } from './question-type.ts';
import { ONLY_ANSWERED } from './shared-parts.ts';
import { matrixHeightRem } from './tables.ts';
import { DEFAULT_COLUMNS, DEFAULT_ROWS } from './table-columns.ts';

export const sideBySide: StudioQuestionType = {
  ...texts.editor.types.side_by_side,
  isReadOnly: true,
  icon: 'M4 5h16v14H4zM4 9h16M4 14h16M9 5v14M16 9v10',
  related: ['side_by_side'],
  initial: {
    question_required: false,
    question_settings: { rows: DEFAULT_ROWS, columns: DEFAULT_COLUMNS },
  },
  settingFields: [],
  options: null,
  hasRows: true,
  hasTableColumns: true,
  sketch: null,
  comparison: { whole: () => ONLY_ANSWERED, parts: null },
  filter: { whole: () => ONLY_ANSWERED_FILTER, parts: null },
  results: { figureOfPoints: null, reservedHeightRem: matrixHeightRem, canSplit: false },
  isSet: false,
};
