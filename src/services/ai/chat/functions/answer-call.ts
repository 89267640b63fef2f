import type { z } from 'zod';
import type { ChatFigure } from '../../../../domain/chat/chat-figure.ts';
import { unknownObject } from '../../../../lib/error-messages.ts';
import { AppError } from '../../../../lib/errors.ts';
import { schemaProblems, schemaWording } from '../../../../lib/schema-problems.ts';

/** The reply to a function call of a model. */
export interface CallAnswer {
  text: string;
  /** null: the call failed; the text has the reason. */
  figure: ChatFigure | null;
}

interface Call {
  name: string;
  argumentsText: string;
  /** null: the function does not exist. */
  parameters: z.ZodObject | null;
  known: readonly string[];
  run: (given: Record<string, unknown>) => Promise<ChatFigure>;
}

const MAX_ARGUMENT_CHARACTERS = 4_000;
const MAX_RESULT_CHARACTERS = 8_000;

/** Runs a function call. Invalid calls give an error text for the model; only unexpected errors are thrown. */
export async function answerCall({ name, argumentsText, parameters, known, run }: Call): Promise<CallAnswer> {
  if (parameters === null)
    return errorAnswer(`The ${unknownObject('function', name, '', { accepted: known.join(', ') })}`);
  const given = readArguments(argumentsText, parameters);
  if ('problem' in given) return errorAnswer(given.problem);
  try {
    const figure = await run(given.value);
    return { text: stringifyFigure(figure), figure };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return errorAnswer(error.message);
  }
}

const errorAnswer = (message: string): CallAnswer => ({
  text: JSON.stringify({ error: message }),
  figure: null,
});

function readArguments(
  text: string,
  parameters: z.ZodObject,
): { value: Record<string, unknown> } | { problem: string } {
  if (text.length > MAX_ARGUMENT_CHARACTERS) return { problem: 'The arguments are too long' };
  let given: unknown;
  try {
    given = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return { problem: 'The arguments are not JSON' };
  }
  const parsed = parameters.safeParse(fillMissingNulls(given, parameters), { error: schemaWording });
  if (parsed.success) return { value: parsed.data };
  const problems = schemaProblems(parsed.error).map(
    ({ field, message }) => `${field || 'arguments'}: ${message}`,
  );
  return { problem: problems.join('; ') };
}

/** Nullable members may be omitted. */
function fillMissingNulls(given: unknown, { shape }: z.ZodObject): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const lacking = Object.entries(shape).filter(
    ([name, schema]) => !Object.hasOwn(given, name) && (schema as z.ZodType).safeParse(null).success,
  );
  return { ...given, ...Object.fromEntries(lacking.map(([name]) => [name, null])) };
}

/** Functions limit their results themselves; this is the last resort for very long labels. */
function stringifyFigure({ base, counted, result }: ChatFigure): string {
  const text = JSON.stringify({ base, ...(counted === null ? {} : { counted }), ...result });
  return text.length <= MAX_RESULT_CHARACTERS
    ? text
    : `${text.slice(0, MAX_RESULT_CHARACTERS).toWellFormed()} … (cut: too long)`;
}
