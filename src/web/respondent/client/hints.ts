import type { QuestionView } from '../../../domain/survey/logic/walk.ts';
import { fill, type Words } from './words.ts';

/** What a respondent should know about a question before answering it; null where it explains itself. */
export function hintOf({ question, options }: QuestionView, words: Words): string | null {
  switch (question.type) {
    case 'multiple_choice': {
      const { min_selections: min, max_selections: max } = question.settings;
      const least = min !== null && min > 1 ? min : null;
      if (least !== null && max !== null) {
        return least === max
          ? fill(words.choose_exactly, { n: max })
          : fill(words.choose_range, { n: least, m: max });
      }
      if (max !== null && max < options.length) return fill(words.choose_max, { n: max });
      return least === null ? words.all_that_apply : fill(words.choose_min, { n: least });
    }
    case 'ranking': {
      const { max_ranked: max } = question.settings;
      const limit = max !== null && max < options.length ? ` ${fill(words.rank_hint_max, { n: max })}` : '';
      return words.rank_hint + limit;
    }
    case 'number': {
      const { min, max } = question.settings;
      if (min !== null && max !== null) return fill(words.number_hint_range, { n: min, m: max });
      if (min !== null) return fill(words.number_hint_min, { n: min });
      return max === null ? null : fill(words.number_hint_max, { n: max });
    }
    case 'slider':
      return words.slider_hint;
    case 'file_upload': {
      const { max_files: n, max_size_mb: m, allowed_extensions: kinds } = question.settings;
      const size = fill(n === 1 ? words.file_one : words.file_many, { n, m });
      return kinds === null ? size : `${size} ${fill(words.file_kinds, { n: kinds.join(', ') })}`;
    }
    default:
      return null;
  }
}
