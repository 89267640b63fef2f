import { quote, unknownObject } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { takesOptions, typeOf } from '../questions/registry.ts';
import { MAX_LOOP_ITEMS } from './block-input.ts';
import { type Block, blocksAround, liveArms } from './blocks.ts';
import { questionsOf, type SurveyDefinition } from './definition.ts';
import { loopedOptions } from './loop-codes.ts';
import { loopItems } from './loops.ts';

/** Returns why a block cannot have its loop: the question of the loop, arms, or another loop around or within it. */
export function loopProblems(block: Block, definition: SurveyDefinition): ErrorDetail[] {
  const { loop } = block;
  const blocks = [...definition.blocks.filter(({ id }) => id !== block.id), block];
  const isLoopBeside = (other: Block) => other.loop !== null && !other.retired && other.id !== block.id;
  const around = blocksAround(blocks, block.parentId);
  if (loop === null) return [];
  const problems: ErrorDetail[] = [];
  const add = (field: string, message: string) => problems.push({ field: `block_loop${field}`, message });
  const outer = around.find(isLoopBeside);
  if (outer !== undefined)
    add('', `a loop cannot be within another loop, ${quote(outer.title ?? outer.code)}`);
  const inner = blocks.find((other) => isLoopBeside(other) && blocksAround(blocks, other.id).includes(block));
  if (inner !== undefined) add('', `a loop cannot contain another loop, ${quote(inner.title ?? inner.code)}`);
  if (liveArms(block).length > 0)
    add(
      '',
      'a block with arms cannot be a loop: put a loop into the block, or a block with arms into the loop',
    );
  if (loop.questionCode === null) return problems;
  const question = questionsOf(definition).find(
    ({ code }) => code.toLowerCase() === loop.questionCode?.toLowerCase(),
  );
  if (question === undefined) {
    add(
      '.question_code',
      unknownObject({ kind: 'question', idOrCode: loop.questionCode, scope: 'in this survey' }),
    );
    return problems;
  }
  const { namesOptions, parts } = typeOf(question).comparison;
  if (!takesOptions(question.type) || !namesOptions || parts !== null)
    add(
      '.question_code',
      `${question.code} is a ${question.type} question; a loop goes over the options of a choice or a ranking`,
    );
  const { length } = loopedOptions(question.options);
  if (length > MAX_LOOP_ITEMS)
    add(
      '.question_code',
      `${question.code} has ${length} options; a loop has at most ${MAX_LOOP_ITEMS} items`,
    );
  const known = loopItems({ ...loop, questionCode: question.code, items: [] }, definition).map(
    ({ code }) => code,
  );
  for (const [index, { code }] of loop.items.entries())
    if (!known.includes(code))
      add(`.items[${index}].item_code`, `${quote(code)} is not an option of ${question.code}`);
  return problems;
}
