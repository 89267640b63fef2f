import { chatSessionRoutes } from './chat-sessions.ts';
import { chatRoute } from './chat.ts';
import { insightRoutes } from './insights.ts';
import { textRoutes } from './texts.ts';

export const aiRoutes = [...chatSessionRoutes, chatRoute, ...textRoutes, ...insightRoutes];
