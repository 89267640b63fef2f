import type { ComponentChildren } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { ApiError } from '../../shared/client/api-error.ts';
import { errorMessage } from './error-messages.ts';

/** For buttons that run an action without a form. `errorNotice` shows the error of the last action. */
export function useAction(): {
  runAction: (action: () => Promise<unknown>) => Promise<void>;
  errorNotice: ComponentChildren;
} {
  const [actionError, setError] = useState<ApiError | null>(null);
  const runAction = useCallback(async (action: () => Promise<unknown>) => {
    setError(null);
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setError(error);
    }
  }, []);
  return {
    runAction,
    errorNotice: actionError !== null && (
      <p class="summary" role="alert">
        {errorMessage(actionError)}
      </p>
    ),
  };
}
