import { useApp } from '../../support/app.ts';
import { useFakeLanguage } from '../../support/fake-language.ts';
import { useFakePayments } from '../../support/fake-payment-server.ts';
import { otherRows } from '../../support/permission-matrix/all-rows.ts';
import { NOBODY_PAID } from '../../support/permission-matrix/billing-rows.ts';
import { tryEveryCell } from '../../support/permission-matrix/matrix.ts';
import { useFixtures } from '../../support/permission-matrix/fixtures.ts';

const language = useFakeLanguage();
const stripe = useFakePayments();
const test = useApp(() => ({ ...NOBODY_PAID, STRIPE_API_BASE: stripe.apiBase, ...language.settings() }));
tryEveryCell(useFixtures(test), test, otherRows);
