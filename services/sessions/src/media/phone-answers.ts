import type { Clock } from '@prosa/kernel/clock'
import type { Pool } from 'pg'
import type { PhoneAnswer } from '../gateway/gateway.ts'
import { answerWanted } from './queries.ts'

export interface PhoneAnswers {
  /** null: gives the file up. Ignored when no file waits for it. */
  save(connectionId: string, messageId: string, answer: PhoneAnswer | null): Promise<void>
}

export const phoneAnswers = (pool: Pool, clock: Clock): PhoneAnswers => ({
  save: (connectionId, messageId, answer) => answerWanted(pool, connectionId, messageId, answer, clock.now()),
})
