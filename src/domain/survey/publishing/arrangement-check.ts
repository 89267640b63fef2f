import { quote } from '../../../lib/error-messages.ts';
import { arrangementProblems } from '../block-input.ts';
import { type Block, blocksAround, liveArms } from '../blocks.ts';
import type { Page, SurveyDefinition } from '../definition.ts';
import { CertainOrder, type Place } from './certain-order.ts';
import type { PublishProblem, PublishWarning } from './publish-check.ts';
import { findReferences, type Reference } from './references.ts';

/** Returns arrangements that do not fit their contents, and logic and texts that depend on what may come later. */
export function findArrangementProblems(definition: SurveyDefinition): PublishProblem[] {
  const order = new CertainOrder(definition);
  const places = placesOf(definition);
  return [
    ...unfitArrangements(definition, order),
    ...findReferences(definition).flatMap((reference) => {
      const problem = orderProblem(reference, { definition, order, places });
      return problem === null ? [] : [{ ...problem, ...whereOf(reference) }];
    }),
  ];
}

/** Returns references to questions that some respondents are not shown by chance, or because they are in another arm. */
export function findLeftOutReferences(definition: SurveyDefinition): PublishWarning[] {
  const order = new CertainOrder(definition);
  const places = placesOf(definition);
  return findReferences(definition).flatMap((reference): PublishWarning[] => {
    const { target } = reference;
    const earlier = target.kind === 'question' ? places.byCode.get(target.code) : undefined;
    if (earlier === undefined || target.kind !== 'question' || !order.mayBeLeftOut(earlier, reference))
      return [];
    const message = `${target.code} is not shown to everyone: it then counts as not answered, and texts that use it are empty`;
    return [{ code: 'left_out_reference', message, ...whereOf(reference) }];
  });
}

const whereOf = ({ field, question }: Reference) => ({
  field,
  ...(question !== null && { question_code: question.code }),
});

/** Places by the code of a question, and by the ids of pages and questions. */
interface Places {
  byCode: ReadonlyMap<string, Place>;
  pages: ReadonlyMap<number, Place>;
  questions: ReadonlyMap<number, Place>;
}

function placesOf({ pages }: SurveyDefinition): Places {
  const live = pages.filter(({ retired }) => !retired);
  const questions = live.flatMap((page) =>
    page.questions.filter(({ retired }) => !retired).map((question) => ({ page, question })),
  );
  return {
    byCode: new Map(questions.map((place) => [place.question.code, place])),
    pages: new Map(live.map((page) => [page.id, { page, question: null }])),
    questions: new Map(questions.map((place) => [place.question.id, place])),
  };
}

function unfitArrangements(definition: SurveyDefinition, order: CertainOrder): PublishProblem[] {
  const problems = (container: Block | Page | null, field: string, noun: string): PublishProblem[] =>
    arrangementProblems(
      container === null ? definition.arrangement : container.arrangement,
      order.childrenOf(container).length,
      noun,
    ).map((problem) => ({
      code: 'impossible_settings',
      message: `${nameOf(container)}: ${problem.message}`,
      field: `${field}.${problem.field}`,
      ...(container !== null && 'questions' in container && { page_id: container.id }),
    }));
  return [
    ...problems(null, 'survey_arrangement', 'page or block'),
    ...definition.blocks.flatMap((block, index) =>
      block.retired ? [] : problems(block, `blocks[${index}].block_arrangement`, 'page or block'),
    ),
    ...definition.pages.flatMap((page, index) =>
      page.retired ? [] : problems(page, `pages[${index}].page_arrangement`, 'question'),
    ),
  ];
}

function nameOf(container: Block | Page | null): string {
  if (container === null) return 'The survey';
  if ('questions' in container)
    return container.title === null ? 'The page' : `The page ${quote(container.title)}`;
  return `The block ${quote(container.title ?? container.code)}`;
}

type Problem = Pick<PublishProblem, 'code' | 'message'> | null;

function orderProblem(
  reference: Reference,
  { definition, order, places }: { definition: SurveyDefinition; order: CertainOrder; places: Places },
): Problem {
  const { target, location, page } = reference;
  if (target.kind === 'arm') return armReferenceProblem(reference, { definition, order });
  if (target.kind === 'jump') {
    const found = (target.to === 'page' ? places.pages : places.questions).get(target.id ?? 0);
    if (found === undefined || !order.isRandomFrom(reference, found)) return null;
    const message = `a skip cannot lead to ${found.question?.code ?? 'a page'} in a part whose order or contents are random; lead to what follows that part`;
    return { code: 'shuffled_reference', message };
  }
  if (target.kind !== 'question') return null;
  const earlier = places.byCode.get(target.code);
  // Skips are evaluated when the page is submitted, after all its questions.
  if (earlier === undefined || (location === 'skip' && earlier.page === page)) return null;
  const from = location === 'skip' ? { page, question: null } : reference;
  const container = order.uncertainContainer(earlier, from);
  if (container === undefined) return null;
  const message = `${target.code} may come later, because ${nameOf(container).replace('The', 'the')} has a random order: ${location} can only refer to what always comes before`;
  return { code: 'shuffled_reference', message };
}

/** An arm is known within its block and after it. */
function armReferenceProblem(
  { target, page, question }: Reference,
  { definition, order }: { definition: SurveyDefinition; order: CertainOrder },
): Problem {
  if (target.kind !== 'arm') return null;
  const { blocks, pages } = definition;
  const block = blocks.find(({ code, retired }) => code === target.code && !retired);
  if (block === undefined || liveArms(block).length === 0) {
    const message = `${quote(target.code)} is not a block with arms`;
    return { code: 'dangling_reference', message };
  }
  const unknown = [target.right ?? []]
    .flat()
    .find((value) => !block.arms.some(({ code }) => code === String(value)));
  if (unknown !== undefined)
    return { code: 'dangling_reference', message: `${quote(unknown)} is not an arm of ${block.code}` };
  if (blocksAround(blocks, page.blockId).includes(block)) return null;
  const live = pages.filter(({ retired }) => !retired);
  const own = live.filter((each) => blocksAround(blocks, each.blockId).includes(block));
  const first = own[0];
  const isBefore = first !== undefined && live.indexOf(first) < live.indexOf(page);
  const place = { page, question };
  if (isBefore && order.uncertainContainer({ page: first, question: null }, place) === undefined) return null;
  return {
    code: isBefore ? 'shuffled_reference' : 'forward_reference',
    message: `the arm of ${block.code} is not known here: only its own parts, and what always comes after it, can refer to it`,
  };
}
