import type { CreateTarget, Row, Rows } from './row.ts';

const freshSession: CreateTarget = async ({ callers: { owner } }) => {
  const { body } = await owner.key.post('/api/ai/sessions', {}).expect(201);
  return { chatSessionId: body.data.session_id };
};
const onSession: Row = { path: ({ chatSessionId }) => ({ uuid: chatSessionId }) };

export const chatRows: Rows = {
  createChatSession: { body: ({ surveyId }) => ({ survey_id: surveyId }) },
  listChatSessions: {},
  getChatSession: onSession,
  deleteChatSession: { ...onSession, fresh: freshSession, isIndependent: true },
  chat: { body: ({ surveyId }) => ({ message: 'How many responses are there?', survey_id: surveyId }) },
};
