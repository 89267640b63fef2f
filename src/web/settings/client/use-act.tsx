import type { ComponentChildren } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { CallFailed } from '../../shared/client/call-failed.ts';
import { wordsOf } from './failure-words.ts';

/** For buttons that act at once: what the server refused stands where `refusal` is drawn. */
export function useAct(): {
  act: (what: () => Promise<unknown>) => Promise<void>;
  refusal: ComponentChildren;
} {
  const [failure, setFailure] = useState<CallFailed | null>(null);
  const act = useCallback(async (what: () => Promise<unknown>) => {
    setFailure(null);
    try {
      await what();
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      setFailure(error);
    }
  }, []);
  return {
    act,
    refusal: failure !== null && (
      <p class="summary" role="alert">
        {wordsOf(failure)}
      </p>
    ),
  };
}
