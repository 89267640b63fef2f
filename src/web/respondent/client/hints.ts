import type { QuestionView } from '../../../domain/survey/logic/render-survey.ts';
import { fillPlaceholders, type Messages } from './localization.ts';

/** Returns the hint of a question, such as its limits; null if it needs none. */
export function questionHint({ question, options }: QuestionView, messages: Messages): string | null {
  switch (question.type) {
    case 'multiple_choice': {
      const { min_selections: min, max_selections: max } = question.settings;
      const requiredMin = min !== null && min > 1 ? min : null;
      if (requiredMin !== null && max !== null) {
        return requiredMin === max
          ? fillPlaceholders(messages.choose_exactly, { n: max })
          : fillPlaceholders(messages.choose_range, { n: requiredMin, m: max });
      }
      if (max !== null && max < options.length) return fillPlaceholders(messages.choose_max, { n: max });
      return requiredMin === null
        ? messages.all_that_apply
        : fillPlaceholders(messages.choose_min, { n: requiredMin });
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
      const { max_files: n, max_size_mb: m, allowed_extensions: extensions } = question.settings;
      const size = fillPlaceholders(n === 1 ? messages.file_one : messages.file_many, { n, m });
      return extensions === null
        ? size
        : `${size} ${fillPlaceholders(messages.file_types, { n: extensions.join(', ') })}`;
    }
    default:
      return null;
  }
}
