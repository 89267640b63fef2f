import { type Request, type RequestHandler, type Response, Router } from 'express';
import { checkSameSite } from '../../middleware/authenticate.ts';
import { createRequestFacts } from '../../middleware/request-context.ts';
import type { CheckoutPage, CheckoutPageService } from '../../services/billing/checkouts.ts';
import { loadInlineStyle, sendCardPage } from '../shared/notice-page.ts';
import { renderCheckout } from './checkout-html.ts';

const STYLE = loadInlineStyle(new URL('./checkout.css', import.meta.url));

type Params = { id: string };

interface CheckoutOptions {
  /** scheme://host of this server as browsers reach it; null: taken from the request. */
  publicUrl: string | null;
  allowedOrigins: readonly string[];
}

/**
 * The router of `/checkout/<id>`: pays orders in the sandbox, and shows the state of every order. GET changes nothing; POST is accepted only
 * from this page. It is mounted at `/checkout`.
 */
export function createCheckoutRouter(
  checkouts: CheckoutPageService,
  { publicUrl, allowedOrigins }: CheckoutOptions,
): Router {
  const resolveBaseUrl = (request: Request<Params>, response: Response): string =>
    createRequestFacts(request as Request, response, publicUrl).baseUrl;

  const show: RequestHandler<Params> = async (request, response) => {
    send(response, await checkouts.open(request.params.id, resolveBaseUrl(request, response)));
  };
  const createChangeHandler =
    (action: 'pay' | 'cancel'): RequestHandler<Params> =>
    async (request, response) => {
      const baseUrl = resolveBaseUrl(request, response);
      checkSameSite(request as Request, baseUrl, allowedOrigins);
      const page = await checkouts[action](request.params.id, baseUrl);
      if (page === null) return send(response, null);
      const returnUrl =
        page.state === 'paid' ? page.successUrl : page.state === 'cancelled' ? page.cancelUrl : null;
      response
        .setHeader('Cache-Control', 'no-store')
        // After a redirect, reloading the page does not submit the form again.
        .redirect(303, returnUrl ?? `/checkout/${page.checkoutId}`);
    };
  const router = Router();
  router.get('/:id', show);
  router.post('/:id/pay', createChangeHandler('pay'));
  router.post('/:id/cancel', createChangeHandler('cancel'));
  return router;
}

function send(response: Response, page: CheckoutPage | null): void {
  // Browsers apply the form-action of a page also to the redirect that answers its form.
  const formOrigins = [page?.successUrl ?? null, page?.cancelUrl ?? null].flatMap((address) =>
    address === null ? [] : [new URL(address).origin],
  );
  sendCardPage(response, page === null ? 404 : 200, {
    ...renderCheckout(page),
    language: 'en',
    direction: 'ltr',
    style: STYLE,
    formOrigins,
    // With `no-referrer`, browsers do not state the origin of a form, which the same-site check needs.
    referrerPolicy: 'same-origin',
  });
}
