import { apiKeyRoutes } from './api-keys.ts';
import { authRoute } from './auth.ts';

export const authRoutes = [authRoute, ...apiKeyRoutes];
