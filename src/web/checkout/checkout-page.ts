import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { checkSameSite } from '../../middleware/same-site.ts';
import { requestFacts } from '../../http/request-facts.ts';
import type { CheckoutPage, CheckoutPageService } from '../../services/billing/checkout-pages.ts';
import { checkoutHtml } from './checkout-html.ts';

/** All in one answer: it has no script, and needs nothing else. */
const STYLE = ['../shared/client/base.css', './checkout.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('');
const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

type Params = { id: string };

interface Place {
  /** scheme://host that browsers reach us at; null: from the request. */
  publicUrl: string | null;
  allowedOrigins: readonly string[];
}

/**
 * `/checkout/<id>`: where an order is paid in the sandbox, and where every order says how it stands. Looking changes nothing; a POST
 * does, of this page alone. It is mounted at `/checkout`.
 */
export function checkoutPage(checkouts: CheckoutPageService, { publicUrl, allowedOrigins }: Place): Router {
  const ownUrl = (request: Request<Params>, response: Response): string =>
    requestFacts(request as Request, response, publicUrl).baseUrl;

  const look: RequestHandler<Params> = async (request, response) => {
    send(response, await checkouts.open(request.params.id, ownUrl(request, response)));
  };
  const changing =
    (what: 'pay' | 'cancel'): RequestHandler<Params> =>
    async (request, response) => {
      const own = ownUrl(request, response);
      checkSameSite(request as Request, own, allowedOrigins);
      const page = await checkouts[what](request.params.id, own);
      if (page === null) return send(response, null);
      const onward =
        page.state === 'paid' ? page.successUrl : page.state === 'cancelled' ? page.cancelUrl : null;
      response
        .setHeader('Cache-Control', 'no-store')
        // Seen again, and not sent again, when the page is loaded anew.
        .redirect(303, onward ?? `/checkout/${page.checkoutId}`);
    };
  const router = Router();
  router.get('/:id', look);
  router.post('/:id/pay', changing('pay'));
  router.post('/:id/cancel', changing('cancel'));
  return router;
}

function send(response: Response, page: CheckoutPage | null): void {
  response
    .status(page === null ? 404 : 200)
    .setHeader('Content-Security-Policy', policyOf(page))
    .setHeader('Cache-Control', 'no-store')
    // Not `no-referrer`: with it browsers do not say that a form comes from here.
    .setHeader('Referrer-Policy', 'same-origin')
    .type('html')
    .send(checkoutHtml(page, STYLE));
}

/** Browsers hold what a form is answered with, a redirect, against the policy of the page. */
function policyOf(page: CheckoutPage | null): string {
  const onward = [page?.successUrl ?? null, page?.cancelUrl ?? null].flatMap((address) =>
    address === null ? [] : [new URL(address).origin],
  );
  return [
    "default-src 'none'",
    "base-uri 'none'",
    ["form-action 'self'", ...new Set(onward)].join(' '),
    "frame-ancestors 'none'",
    'img-src data:',
    `style-src ${STYLE_SOURCE}`,
  ].join('; ');
}
