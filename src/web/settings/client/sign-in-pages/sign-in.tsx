import { useState } from 'preact/hooks';
import { texts } from '../../texts.ts';
import { callAuth } from '../api.ts';
import { CheckField, Field, PasswordField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';

const OUTCOMES = { smtp: texts.forgotPassword.sent, none: texts.forgotPassword.noMail };

function ForgotPassword({ email, onBack }: { email: string; onBack: () => void }) {
  const [delivery, setDelivery] = useState<keyof typeof OUTCOMES | null>(null);
  const toSignIn = (
    <button type="button" class="plain" onClick={onBack}>
      {texts.signIn.back}
    </button>
  );
  if (delivery !== null) {
    return (
      <SignInLayout {...OUTCOMES[delivery]}>
        <div class="buttons">{toSignIn}</div>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title={texts.forgotPassword.title} about={texts.forgotPassword.about}>
      <Form
        submit={texts.forgotPassword.submit}
        otherButtons={toSignIn}
        onSubmit={async (values) => {
          const sent = await callAuth<{ delivery: keyof typeof OUTCOMES }>(
            'forgot',
            Object.fromEntries(values),
          );
          setDelivery(sent.delivery);
        }}
      >
        <Field name="email" label={texts.common.email} type="email" value={email} autocomplete="username" />
      </Form>
    </SignInLayout>
  );
}

export function SignIn({
  sessionEnded,
  onSignedIn,
}: {
  sessionEnded: boolean;
  onSignedIn: () => Promise<void>;
}) {
  const [forgottenEmail, setForgottenEmail] = useState<string | null>(null);
  if (forgottenEmail !== null) {
    return <ForgotPassword email={forgottenEmail} onBack={() => setForgottenEmail(null)} />;
  }
  return (
    <SignInLayout title={texts.signIn.title} about={sessionEnded ? texts.signIn.sessionEnded : undefined}>
      <Form
        submit={texts.signIn.title}
        onSubmit={async (values) => {
          await callAuth('login', {
            email: values.get('email'),
            password: values.get('password'),
            remember_me: values.has('remember_me'),
          });
          await onSignedIn();
        }}
        otherButtons={
          <button
            type="button"
            class="plain"
            onClick={(event) => {
              const email = event.currentTarget.form!.elements.namedItem('email') as HTMLInputElement;
              setForgottenEmail(email.value);
            }}
          >
            {texts.signIn.forgot}
          </button>
        }
      >
        <Field name="email" label={texts.common.email} type="email" autocomplete="username" />
        <PasswordField name="password" label={texts.common.password} autocomplete="current-password" />
        <CheckField name="remember_me" label={texts.signIn.remember} checked={false} />
      </Form>
    </SignInLayout>
  );
}
