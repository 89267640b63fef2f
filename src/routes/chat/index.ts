import { chatRoute } from './chat.ts';
import { chatSessionRoutes } from './sessions.ts';

export const chatRoutes = [...chatSessionRoutes, chatRoute];
