import { useState } from 'preact/hooks';
import { callAuth } from '../api.ts';
import { Field } from '../fields.tsx';
import { Form } from '../form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';

const OUTCOMES = {
  smtp: {
    title: 'Look into your mail',
    about:
      'If there is an account with this address, a link is on its way to it. It works once, for one hour.',
  },
  none: {
    title: 'Ask an administrator',
    about:
      'This installation sends no mail. An administrator of your organization can set a new password for you.',
  },
};

export function ForgotPassword({ email, onBack }: { email: string; onBack: () => void }) {
  const [delivery, setDelivery] = useState<keyof typeof OUTCOMES | null>(null);
  const toSignIn = (
    <button type="button" class="plain" onClick={onBack}>
      Back to sign in
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
    <SignInLayout
      title="Forgot your password?"
      about="We send a link to your address with which you set a new one."
    >
      <Form
        submit="Send the link"
        aside={toSignIn}
        onSubmit={async (values) => {
          const sent = await callAuth<{ delivery: keyof typeof OUTCOMES }>(
            'forgot',
            Object.fromEntries(values),
          );
          setDelivery(sent.delivery);
        }}
      >
        <Field name="email" label="E-mail address" type="email" value={email} autocomplete="username" />
      </Form>
    </SignInLayout>
  );
}
