import type { Question, QuestionType } from '../../src/domain/survey/definition.ts';
import { questionSettingsSchemas } from '../../src/domain/questions/registry.ts';

/** A question with its default settings; its options are 1, 2, 3 … */
export function question(id: number, type: QuestionType, code: string, options = 0): Question {
  return {
    id,
    pageId: 1,
    type,
    text: code,
    code,
    required: false,
    settings: questionSettingsSchemas[type].parse({}),
    options: Array.from({ length: options }, (_, index) => ({
      code: index + 1,
      value: String(index + 1),
      label: `Option ${index + 1}`,
      order: index,
      image: null,
      exclusive: false,
      other: false,
      anchor: false,
      missing: false,
      retired: false,
    })),
    retired: false,
  } as Question;
}
