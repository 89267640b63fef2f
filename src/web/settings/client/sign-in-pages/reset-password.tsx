import { useState } from 'preact/hooks';
import { callAuth } from '../api.ts';
import { CheckField, PasswordField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { texts } from '../../texts.ts';

export function ResetPassword({ token }: { token: string }) {
  const [isDone, setIsDone] = useState(false);
  if (token === '') {
    return (
      <SignInLayout title={texts.resetPassword.incomplete} about={texts.resetPassword.incompleteAbout}>
        <ToSignIn />
      </SignInLayout>
    );
  }
  if (isDone) {
    return (
      <SignInLayout title={texts.resetPassword.changed} about={texts.resetPassword.changedAbout}>
        <ToSignIn />
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title={texts.resetPassword.title}>
      <Form
        submit={texts.resetPassword.submit}
        onSubmit={async (values) => {
          await callAuth('reset', {
            reset_token: token,
            new_password: values.get('new_password'),
            revoke_api_keys: values.has('revoke_api_keys'),
          });
          setIsDone(true);
        }}
      >
        <PasswordField
          name="new_password"
          label={texts.common.newPassword}
          autocomplete="new-password"
          hint={texts.common.passwordHint}
        />
        <CheckField name="revoke_api_keys" label={texts.resetPassword.revokeKeys} checked />
      </Form>
    </SignInLayout>
  );
}

function ToSignIn() {
  return (
    <p>
      <a href="/settings">{texts.signIn.title}</a>
    </p>
  );
}
