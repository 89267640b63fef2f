import type { QuestionView } from '../../../domain/survey/logic/render-survey.ts';
import { fillPlaceholders, type Messages } from './localization.ts';

/** Returns the hint of a question, such as its limits; null if it needs none. */
export function questionHint({ question, options }: QuestionView, messages: Messages): string | null {
  switch (question.type) {
    case 'multiple_choice': {
      const { min_selections: min, max_selections: max } = question.settings;
      const least = min !== null && min > 1 ? min : null;
      if (least !== null && max !== null) {
        return least === max
          ? fillPlaceholders(messages.choose_exactly, { n: max })
          : fillPlaceholders(messages.choose_range, { n: least, m: max });
      }
      if (max !== null && max < options.length) return fillPlaceholders(messages.choose_max, { n: max });
      return least === null ? messages.all_that_apply : fillPlaceholders(messages.choose_min, { n: least });
    }
    case 'ranking': {
      const { max_ranked: max } = question.settings;
      const limit =
        max !== null && max < options.length
          ? ` ${fillPlaceholders(messages.rank_hint_max, { n: max })}`
          : '';
      return messages.rank_hint + limit;
    }
    case 'number': {
      const { min, max } = question.settings;
      if (min !== null && max !== null)
        return fillPlaceholders(messages.number_hint_range, { n: min, m: max });
      if (min !== null) return fillPlaceholders(messages.number_hint_min, { n: min });
      return max === null ? null : fillPlaceholders(messages.number_hint_max, { n: max });
    }
    case 'slider':
      return messages.slider_hint;
    case 'file_upload': {
      const { max_files: n, max_size_mb: m, allowed_extensions: kinds } = question.settings;
      const size = fillPlaceholders(n === 1 ? messages.file_one : messages.file_many, { n, m });
      return kinds === null
        ? size
        : `${size} ${fillPlaceholders(messages.file_types, { n: kinds.join(', ') })}`;
    }
    default:
      return null;
  }
}
