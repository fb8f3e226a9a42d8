import type { Clock } from '@prosa/kernel/clock'
import type { Pool } from 'pg'
import type { PhoneAnswer } from '../gateway/gateway.ts'
import { answerWanted } from './queries.ts'

/** The answers of own phones that were asked for the files of messages. */
export interface PhoneAnswers {
  /**
   * Has the file fetched from where the phone put it, or given up (null). For a file that nobody waits for, nothing.
   */
  keep(connectionId: string, messageId: string, answer: PhoneAnswer | null): Promise<void>
}

export const phoneAnswers = (pool: Pool, clock: Clock): PhoneAnswers => ({
  keep: (connectionId, messageId, answer) => answerWanted(pool, connectionId, messageId, answer, clock.now()),
})
