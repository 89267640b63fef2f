import { callApi } from '../../shared/client/call-api.ts';
import { ApiError } from '../../shared/client/api-error.ts';
import { texts } from '../texts.ts';

/** Sends the password or sign-in form to the API as JSON, and reloads the page when the API accepts it. */
export function setUpAccessForm(form: HTMLFormElement): void {
  const problem = form.querySelector<HTMLElement>('#problem')!;
  const button = form.querySelector('button')!;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submitForm();
  });

  async function submitForm(): Promise<void> {
    button.disabled = true;
    problem.hidden = true;
    try {
      await callApi('POST', form.dataset.post!, Object.fromEntries(new FormData(form)));
      location.reload();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem.textContent = errorMessage(error);
      problem.hidden = false;
      button.disabled = false;
      const password = form.querySelector<HTMLInputElement>('#password');
      password?.setAttribute('aria-invalid', 'true');
      password?.select();
    }
  }
}

function errorMessage({ status, code, message }: ApiError): string {
  if (status === 429) return texts.form.tooManyTries;
  if (code === 'wrong_password') return texts.form.wrongPassword;
  return message === '' ? texts.form.unreachable : message;
}
