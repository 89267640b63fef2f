import { isSerializationFailure } from '../../db/serialization-failure.ts';

const MAX_ATTEMPTS = 3;

/**
 * Repeats `work`, from resolving the link on, when a concurrent transaction made it fail: for example, a complete
 * response that was evaluated just before its wave got quotas. Throws the last error after three attempts.
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
