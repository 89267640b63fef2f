import { useApp } from '../../support/app.ts';
import { useFakePayments } from '../../support/fake-payment-server.ts';
import { billingRows, NOBODY_PAID } from '../../support/permission-matrix/billing-rows.ts';
import { tryEveryCell } from '../../support/permission-matrix/matrix.ts';
import { useWorld } from '../../support/permission-matrix/world.ts';

const stripe = useFakePayments();
const test = useApp(() => ({ ...NOBODY_PAID, STRIPE_API_BASE: stripe.apiBase }));
tryEveryCell(useWorld(test), test, billingRows);
