import { useApp } from '../../support/app.ts';
import { useFakeLanguage } from '../../support/fake-language.ts';
import { useFakePayments } from '../../support/fake-payment-server.ts';
import { otherRows } from '../../support/permission-matrix/all-rows.ts';
import { UNREACHABLE_STRIPE } from '../../support/permission-matrix/billing-rows.ts';
import { testPermissions } from '../../support/permission-matrix/matrix.ts';
import { useFixtures } from '../../support/permission-matrix/fixtures.ts';

const language = useFakeLanguage();
const stripe = useFakePayments();
const test = useApp(() => ({
  ...UNREACHABLE_STRIPE,
  STRIPE_API_BASE: stripe.apiBase,
  ...language.settings(),
}));
testPermissions(useFixtures(test), test, otherRows);
