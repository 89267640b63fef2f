import { linkQrRoutes } from './link-qr.ts';
import { linkRoutes } from './links.ts';

export const fieldRoutes = [...linkRoutes, ...linkQrRoutes];
