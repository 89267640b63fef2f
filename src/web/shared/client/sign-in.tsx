import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CheckField, Field, PasswordField } from './fields.tsx';
import { Form } from './form.tsx';
import { StandalonePage } from './page.tsx';
import { callAuth } from './session.ts';
import { forgotPasswordTexts, signInTexts } from './texts.ts';

const OUTCOMES = { smtp: forgotPasswordTexts.sent, none: forgotPasswordTexts.noMail };

function ForgotPassword({ email, onBack }: { email: string; onBack: () => void }) {
  const [delivery, setDelivery] = useState<keyof typeof OUTCOMES | null>(null);
  const toSignIn = (
    <button type="button" class="plain" onClick={onBack}>
      {signInTexts.back}
    </button>
  );
  if (delivery !== null) {
    return (
      <StandalonePage {...OUTCOMES[delivery]}>
        <div class="buttons">{toSignIn}</div>
      </StandalonePage>
    );
  }
  return (
    <StandalonePage title={forgotPasswordTexts.title} about={forgotPasswordTexts.about}>
      <Form
        submit={forgotPasswordTexts.submit}
        otherButtons={toSignIn}
        onSubmit={async (values) => {
          const sent = await callAuth<{ delivery: keyof typeof OUTCOMES }>(
            'forgot',
            Object.fromEntries(values),
          );
          setDelivery(sent.delivery);
        }}
      >
        <Field name="email" label={signInTexts.email} type="email" value={email} autocomplete="username" />
      </Form>
    </StandalonePage>
  );
}

/** The page of a visitor who has to sign in. */
export function SignIn({
  about,
  onSignedIn,
  footer,
}: {
  /** Why the visitor has to sign in, unless that is obvious. */
  about: string | undefined;
  onSignedIn: () => Promise<void>;
  footer?: ComponentChildren;
}) {
  const [forgottenEmail, setForgottenEmail] = useState<string | null>(null);
  if (forgottenEmail !== null) {
    return <ForgotPassword email={forgottenEmail} onBack={() => setForgottenEmail(null)} />;
  }
  return (
    <StandalonePage title={signInTexts.title} about={about} footer={footer}>
      <SignInForm onSignedIn={onSignedIn} onForgotten={setForgottenEmail} />
    </StandalonePage>
  );
}

/** `onForgotten`: gets the email address that was entered so far. */
export function SignInForm({
  onSignedIn,
  onForgotten,
}: {
  onSignedIn: () => Promise<void>;
  onForgotten?: (email: string) => void;
}) {
  return (
    <Form
      submit={signInTexts.title}
      onSubmit={async (values) => {
        await callAuth('login', {
          email: values.get('email'),
          password: values.get('password'),
          remember_me: values.has('remember_me'),
        });
        await onSignedIn();
      }}
      otherButtons={
        onForgotten !== undefined && (
          <button
            type="button"
            class="plain"
            onClick={(event) => {
              const email = event.currentTarget.form?.elements.namedItem('email');
              onForgotten(email instanceof HTMLInputElement ? email.value : '');
            }}
          >
            {signInTexts.forgot}
          </button>
        )
      }
    >
      <Field name="email" label={signInTexts.email} type="email" autocomplete="username" />
      <PasswordField name="password" label={signInTexts.password} autocomplete="current-password" />
      <CheckField name="remember_me" label={signInTexts.remember} checked={false} />
    </Form>
  );
}
