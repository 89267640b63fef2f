import type { ChatFigure } from '../../domain/chat/chat-figure.ts';
import type { Table } from './table.ts';

interface AnalysisResultTable {
  survey_id: number;
  result_key: Buffer;
  result: unknown;
  created_at: Date;
}

export interface ChatSessionTable {
  session_id: string;
  organization_id: number;
  user_id: number;
  survey_id: number | null;
  created_at: Date;
  last_message_at: Date;
}

export interface ChatMessageTable {
  message_id: number;
  session_id: string;
  message_role: 'user' | 'assistant';
  content: string;
  figures: ChatFigure[];
  message_state: 'answering' | 'complete' | 'stopped' | 'failed';
  reservation_id: number | null;
  planned_content: string | null;
  engine: string | null;
  model: string | null;
  input_tokens: number;
  output_tokens: number;
  credits_used: number;
  created_at: Date;
}

export interface ChatEventTable {
  message_id: number;
  event_number: number;
  event_name: string;
  data: object;
  created_at: Date;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    analysis_results: Table<AnalysisResultTable, 'created_at', 'result'>;
    chat_sessions: Table<ChatSessionTable, 'created_at' | 'last_message_at'>;
    chat_messages: Table<
      ChatMessageTable,
      'message_id' | 'figures' | 'input_tokens' | 'output_tokens' | 'credits_used' | 'created_at',
      'figures'
    >;
    chat_events: Table<ChatEventTable, 'created_at', 'data'>;
  }
}
