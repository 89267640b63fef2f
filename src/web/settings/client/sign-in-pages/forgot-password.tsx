import { useState } from 'preact/hooks';
import { callAuth } from '../api.ts';
import { Field } from '../fields.tsx';
import { Form } from '../form.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { texts } from '../../texts.ts';

const OUTCOMES = { smtp: texts.forgotPassword.sent, none: texts.forgotPassword.noMail };

export function ForgotPassword({ email, onBack }: { email: string; onBack: () => void }) {
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
