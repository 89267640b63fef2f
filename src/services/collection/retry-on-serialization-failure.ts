import { isSerializationFailure } from '../../db/serialization-failure.ts';

const MAX_ATTEMPTS = 3;

/**
 * What was given up for the sake of somebody else's transaction is done again, from the look at what is behind the link: such as a
 * complete response that was judged just before its wave got quotas.
 */
export async function retryOnSerializationFailure<T>(work: () => Promise<T>): Promise<T> {
  for (let time = 1; ; time += 1) {
    try {
      return await work();
    } catch (error) {
      if (time === MAX_ATTEMPTS || !isSerializationFailure(error)) throw error;
    }
  }
}
