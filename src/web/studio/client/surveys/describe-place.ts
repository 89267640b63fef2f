import { capitalize } from '../../../shared/client/form-errors.ts';
import { texts } from '../../texts.ts';

const PARTS = new Map([
  ['pages', texts.create.place.page],
  ['questions', texts.create.place.question],
  ['options', texts.create.place.option],
]);

/** The place of a problem in a survey file: `survey.pages[0].questions[2].question_text` is "Page 1, question 3, text". */
export function describePlace(field: string): string {
  const words = field
    .split('.')
    .filter((part) => part !== 'survey' && part !== '')
    .map((part) => {
      const [, name = part, index] = /^(\w+)\[(\d+)\]$/.exec(part) ?? [];
      const describe = PARTS.get(name);
      if (describe !== undefined && index !== undefined) return describe(Number(index) + 1);
      return name.replace(/^(?:survey|page|question|option)_/, '').replaceAll('_', ' ');
    });
  return capitalize(words.join(', '));
}
