import type { ComponentChildren } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { ApiError } from '../../shared/client/call-failed.ts';
import { errorMessage } from './error-messages.ts';

/** For buttons that run an action without a form. `errorNotice` shows the error of the last action. */
export function useAction(): {
  act: (what: () => Promise<unknown>) => Promise<void>;
  refusal: ComponentChildren;
} {
  const [failure, setFailure] = useState<ApiError | null>(null);
  const act = useCallback(async (what: () => Promise<unknown>) => {
    setFailure(null);
    try {
      await what();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error);
    }
  }, []);
  return {
    act,
    refusal: failure !== null && (
      <p class="summary" role="alert">
        {errorMessage(failure)}
      </p>
    ),
  };
}
