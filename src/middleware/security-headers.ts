import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Where browsers report what a content security policy prevented. */
export const POLICY_REPORTS_PATH = '/policy-reports';

/** No page uses these. A page that embeds a survey cannot grant them to it either. */
const UNUSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];
const PERMISSIONS = UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ');
const DAY_SECONDS = 24 * 60 * 60;

const policyOf = (hstsDays: number) =>
  helmet({
    strictTransportSecurity:
      hstsDays === 0 ? false : { maxAge: hstsDays * DAY_SECONDS, includeSubDomains: true },
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        reportUri: [POLICY_REPORTS_PATH],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        // Plain http on a loopback address must keep working.
        upgradeInsecureRequests: null,
      },
    },
    crossOriginEmbedderPolicy: false,
  });

/**
 * For every reply; pages that need more than their own scripts and styles widen the policy themselves. What helmet sets does not
 * depend on the request, so it is asked once.
 */
export function securityHeaders({ hstsDays }: { hstsDays: number }): RequestHandler {
  const example = new ServerResponse(new IncomingMessage(new Socket()));
  policyOf(hstsDays)(example.req, example, (error) => {
    if (error !== undefined) throw new Error('helmet failed', { cause: error });
  });
  example.setHeader('Permissions-Policy', PERMISSIONS);
  const headers = example.getHeaderNames().map((name) => [name, String(example.getHeader(name))] as const);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
