import { z } from 'zod';
import { mustBe, quote, unknownValue } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { type Arm, type Arrangement, type Block, CHILD_ORDERS, liveArms } from './blocks.ts';
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
