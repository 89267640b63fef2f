import { z } from 'zod';
import { mustBe, quote, unknownValue } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { languageTagText } from '../questions/question-translations.ts';
import {
  type Arm,
  type Arrangement,
  type Block,
  CHILD_ORDERS,
  liveArms,
  type Loop,
  LOOP_ORDERS,
  LOOP_SOURCES,
  type LoopItem,
} from './blocks.ts';
import { isCodeTaken } from './question-codes.ts';

/** Limits the work of arranging a survey for each respondent. */
export const MAX_BLOCKS = 200;
const MAX_ARMS = 100;
const MAX_SHARE = 1_000;
/** Places of a list that can be pinned or shown. */
const MAX_PLACES = 2_000;

const placeSchema = z.int().min(1).max(MAX_PLACES);

export const arrangementSchema = z
  .strictObject({
    order: z.enum(CHILD_ORDERS).default('fixed'),
    pinned: z
      .array(placeSchema)
      .max(MAX_PLACES)
      .default([])
      .describe('Places, from 1, whose child is always shown and keeps its place'),
    show: placeSchema
      .nullable()
      .default(null)
      .describe('How many children each respondent sees, chosen at random; null: all'),
  })
  .meta({ id: 'Arrangement' });

const ARM_CODE = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38}[A-Za-z0-9])?$/;

const armSchema = z
  .strictObject({
    arm_code: z
      .string()
      .regex(ARM_CODE, 'must be 1 to 40 letters, digits, _ and -, such as A or price-high')
      .describe('Stored with each response'),
    arm_label: z.string().trim().max(200).nullish().describe('Default: the code'),
    share: z
      .number()
      .positive()
      .max(MAX_SHARE)
      .default(1)
      .describe('Of the respondents, relative to the other arms: 2 and 1 are two thirds and one third'),
  })
  .meta({ id: 'Arm' });

export const armsSchema = z
  .array(armSchema)
  .max(MAX_ARMS)
  .superRefine((arms, context) => {
    const codes: string[] = [];
    for (const [index, { arm_code: code }] of arms.entries()) {
      if (isCodeTaken(code, codes))
        context.addIssue({
          code: 'custom',
          path: [index, 'arm_code'],
          message: `${quote(code)} names another arm of this block`,
        });
      codes.push(code);
    }
    if (arms.length === 1)
      context.addIssue({ code: 'custom', message: 'must have at least 2 arms, or none' });
  });

/** Each copies the questions of the loop. */
export const MAX_LOOP_ITEMS = 100;

const ITEM_CODE = /^[A-Za-z0-9_-]{1,20}$/;
const RESERVED_ATTRIBUTES: readonly string[] = ['label', 'code'];

const attributesSchema = z
  .record(
    z
      .string()
      .regex(
        /^[A-Za-z][A-Za-z0-9_]{0,47}$/,
        'must be a letter followed by letters, digits and _, such as price',
      )
      .refine((name) => !RESERVED_ATTRIBUTES.includes(name), 'cannot be label or code, which every item has'),
    z.string().max(2_000),
  )
  .refine((attributes) => Object.keys(attributes).length <= 20, 'must have at most 20 attributes');

const loopItemSchema = z
  .strictObject({
    item_code: z
      .string()
      .regex(ITEM_CODE, 'must be 1 to 20 letters, digits, _ and -, such as OAT or 7')
      .describe(
        'Names the columns: `Q5[OAT]`. Over a question: the option_value, or the option_code where a value has other characters',
      ),
    item_label: z
      .string()
      .trim()
      .max(500)
      .nullish()
      .describe(
        'Shown where a text contains `{{item.label}}`. Default: the code. Over a question: that of the option',
      ),
    attributes: attributesSchema
      .default({})
      .describe('Texts by name, shown where a text contains `{{item.<name>}}`'),
    translations: z
      .record(
        languageTagText,
        z.strictObject({
          item_label: z.string().trim().max(500).nullish(),
          attributes: attributesSchema.optional(),
        }),
      )
      .default({}),
  })
  .meta({ id: 'LoopItem' });

/** What respondents need to know of a loop. */
export const loopSettings = z.strictObject({
  max_items: z
    .int()
    .min(1)
    .max(MAX_LOOP_ITEMS)
    .nullable()
    .default(null)
    .describe('A respondent sees at most so many: the first in the order; null: all'),
  order: z
    .enum(LOOP_ORDERS)
    .default('fixed')
    .describe(
      'least_filled: first the items that the fewest complete responses and interviews in progress have',
    ),
});

export const loopSchema = z
  .strictObject({
    over: z
      .enum(LOOP_SOURCES)
      .default('chosen')
      .describe(
        'The options that the respondent chose, or did not choose, in `question_code`; or the `items` of a list',
      ),
    question_code: z.string().max(48).nullable().default(null).describe('An earlier question with options'),
    items: z
      .array(loopItemSchema)
      .max(MAX_LOOP_ITEMS)
      .default([])
      .describe('The list; over a question, the attributes of its options'),
    ...loopSettings.shape,
  })
  .superRefine(({ over, question_code: code, items }, context) => {
    const add = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if (over === 'listed' && code !== null)
      add(['question_code'], 'must be null for a list; send over: chosen or not_chosen');
    if (over === 'listed' && items.length === 0) add(['items'], 'must have at least 1 item');
    if (over !== 'listed' && code === null) add(['question_code'], 'is required, unless over is listed');
    const codes: string[] = [];
    for (const [index, { item_code: item }] of items.entries()) {
      if (isCodeTaken(item, codes))
        add(['items', index, 'item_code'], `${quote(item)} names another item of this loop`);
      codes.push(item);
    }
  })
  .meta({ id: 'Loop' });

type LoopInput = z.output<typeof loopSchema>;

/** Returns the loop of a block after a change. Listed items that are left out are retired if responses can have them. */
export function changedLoop(before: Loop | null, input: LoopInput | null, keepsData: boolean): Loop | null {
  if (input === null) return null;
  const earlier = before?.over === 'listed' && input.over === 'listed' ? before.items : [];
  let highest = Math.max(0, ...earlier.map(({ number }) => number));
  const items = input.items.map((item): LoopItem => {
    const known = earlier.find(({ code }) => isCodeTaken(item.item_code, [code]));
    return {
      code: known?.code ?? item.item_code,
      label:
        item.item_label === null || item.item_label === undefined || item.item_label === ''
          ? item.item_code
          : item.item_label,
      attributes: item.attributes,
      translations: Object.fromEntries(
        Object.entries(item.translations).map(([language, { item_label: label, attributes }]) => [
          language,
          { ...(label && { label }), ...(attributes && { attributes }) },
        ]),
      ),
      number: known?.number ?? ++highest,
      retired: false,
    };
  });
  const leftOut = keepsData
    ? earlier
        .filter(
          ({ code }) =>
            !isCodeTaken(
              code,
              items.map((item) => item.code),
            ),
        )
        .map((item) => ({ ...item, retired: true }))
    : [];
  return {
    over: input.over,
    questionCode: input.question_code,
    items: [...items, ...leftOut],
    max: input.max_items,
    order: input.order,
  };
}

export const presentLoop = ({ over, questionCode, items, max, order }: Loop): z.input<typeof loopSchema> => ({
  over,
  question_code: questionCode,
  items: items
    .filter(({ retired }) => !retired)
    .map(({ code, label, attributes, translations }) => ({
      item_code: code,
      item_label: label,
      attributes,
      translations: Object.fromEntries(
        Object.entries(translations).map(([language, { label: translated, attributes: texts }]) => [
          language,
          {
            ...(translated !== undefined && { item_label: translated }),
            ...(texts !== undefined && { attributes: texts }),
          },
        ]),
      ),
    })),
  max_items: max,
  order,
});

type ArmInput = z.output<typeof armSchema>;

/** Returns the arms of a block after a change. Arms that are left out are retired if responses can have them. */
export function changedArms(before: readonly Arm[], input: readonly ArmInput[], keepsData: boolean): Arm[] {
  const arms = input.map(({ arm_code: code, arm_label: label, share }): Arm => ({
    code,
    label: label === null || label === undefined || label === '' ? code : label,
    share,
    retired: false,
  }));
  const leftOut = before.filter(
    ({ code }) =>
      !isCodeTaken(
        code,
        arms.map((arm) => arm.code),
      ),
  );
  return keepsData ? [...arms, ...leftOut.map((arm) => ({ ...arm, retired: true }))] : arms;
}

export const presentArm = ({ code, label, share }: Arm): z.input<typeof armSchema> => ({
  arm_code: code,
  arm_label: label,
  share,
});

/** Returns the problem with `arm`, the arm of the parent for which a page or block is shown; null: none. */
export function armProblem(parent: Block | undefined, arm: string | null): string | null {
  if (arm === null) return null;
  if (parent === undefined || liveArms(parent).length === 0)
    return mustBe('null outside a block with arms', arm);
  const accepted = liveArms(parent)
    .map(({ code }) => quote(code))
    .join(', ');
  return liveArms(parent).some(({ code }) => code === arm)
    ? null
    : unknownValue(arm, `an arm of ${parent.code}`, { accepted });
}

/** Returns where an arrangement does not fit the number of children; fields are relative to the arrangement. */
export function arrangementProblems(
  arrangement: Arrangement | null,
  children: number,
  noun: string,
): ErrorDetail[] {
  if (arrangement === null) return [];
  const { pinned, show } = arrangement;
  const count = `there ${children === 1 ? `is 1 ${noun}` : `are ${children} ${noun}s`}`;
  const problems = pinned.flatMap((place, index): ErrorDetail[] =>
    place > children
      ? [{ field: `pinned[${index}]`, message: `place ${place} does not exist: ${count}` }]
      : [],
  );
  if (show !== null && show > children)
    problems.push({ field: 'show', message: `${show} cannot be shown: ${count}` });
  const pinnedCount = new Set(pinned).size;
  if (show !== null && pinnedCount > show)
    problems.push({
      field: 'show',
      message: `must be at least ${pinnedCount}, because ${pinnedCount} places are pinned`,
    });
  return problems;
}
