import { useState } from 'preact/hooks';
import { callAuth } from '../api.ts';
import { CheckField, Field, PasswordField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { ForgotPassword } from './forgot-password.tsx';

export function SignIn({ sessionEnded, onIn }: { sessionEnded: boolean; onIn: () => Promise<void> }) {
  const [forgotten, setForgotten] = useState<string | null>(null);
  if (forgotten !== null) {
    return <ForgotPassword email={forgotten} onBack={() => setForgotten(null)} />;
  }
  return (
    <SignInLayout
      title="Sign in"
      about={sessionEnded ? 'Your session has ended. Sign in to go on.' : undefined}
    >
      <Form
        submit="Sign in"
        onSubmit={async (values) => {
          await callAuth('login', {
            email: values.get('email'),
            password: values.get('password'),
            remember_me: values.has('remember_me'),
          });
          await onIn();
        }}
        aside={
          <button
            type="button"
            class="plain"
            onClick={(event) => {
              const email = event.currentTarget.form!.elements.namedItem('email') as HTMLInputElement;
              setForgotten(email.value);
            }}
          >
            Forgot your password?
          </button>
        }
      >
        <Field name="email" label="E-mail address" type="email" autocomplete="username" />
        <PasswordField name="password" label="Password" autocomplete="current-password" />
        <CheckField name="remember_me" label="Stay signed in for 30 days" checked={false} />
      </Form>
    </SignInLayout>
  );
}
