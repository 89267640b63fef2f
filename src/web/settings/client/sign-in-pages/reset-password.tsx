import { useState } from 'preact/hooks';
import { callAuth } from '../api.ts';
import { CheckField, PasswordField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';

export function ResetPassword({ token }: { token: string }) {
  const [done, setDone] = useState(false);
  if (token === '') {
    return (
      <SignInLayout
        title="This link is incomplete"
        about="Open the link in the mail again, or request a new one."
      >
        <ToSignIn />
      </SignInLayout>
    );
  }
  if (done) {
    return (
      <SignInLayout
        title="Your password is changed"
        about="You were signed out everywhere. Sign in with the new one."
      >
        <ToSignIn />
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title="Set a new password">
      <Form
        submit="Set password"
        onSubmit={async (values) => {
          await callAuth('reset', {
            reset_token: token,
            new_password: values.get('new_password'),
            revoke_api_keys: values.has('revoke_api_keys'),
          });
          setDone(true);
        }}
      >
        <PasswordField
          name="new_password"
          label="New password"
          autocomplete="new-password"
          hint="At least 8 characters"
        />
        <CheckField name="revoke_api_keys" label="Revoke all my API keys" checked />
      </Form>
    </SignInLayout>
  );
}

function ToSignIn() {
  return (
    <p>
      <a href="/settings">Sign in</a>
    </p>
  );
}
