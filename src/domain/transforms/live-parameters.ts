import { z } from 'zod';

const PARAMETER_MODES = ['live', 'frozen'] as const;

interface Freezable {
  frozen?: object;
}

/** The field of requests for parameters that can be frozen. */
const parametersField = z
  .enum(PARAMETER_MODES)
  .default('live')
  .describe('`live`: recomputed when the responses change. `frozen`: computed once');

/** The same in updates. */
const parametersChange = z
  .enum(PARAMETER_MODES)
  .optional()
  .describe('`live`: recomputed when the responses change. `frozen`: computed once, now');

/** Parts of the modules of transforms whose parameters follow the data unless they are frozen. */
export const liveParameters = {
  requestFields: { parameters: parametersField },
  changeFields: { parameters: parametersChange },
  /** Of the definition in replies. */
  definitionFields: { parameters: z.enum(PARAMETER_MODES) },
  presentDefinition: ({ frozen }: Freezable) => ({ parameters: frozen === undefined ? 'live' : 'frozen' }),
  /** Of the parameters in replies. */
  replyFields: { frozen: z.boolean() },
  describe: ({ frozen }: Freezable) => ({ frozen: frozen !== undefined }),
};

/**
 * Returns the frozen parameters after an update: true if they are to be computed from the current data, false if they follow the data.
 * `affected`: the update changes how they are computed.
 */
export function updateFrozen<Parameters extends object>(
  { frozen }: { frozen?: Parameters },
  { parameters }: { parameters?: 'live' | 'frozen' | undefined },
  affected = false,
): boolean | Parameters {
  if (parameters !== undefined) return parameters === 'frozen';
  if (frozen === undefined) return false;
  return affected || frozen;
}
