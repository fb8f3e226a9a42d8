import pg from 'pg'
import { type Logger, pino, stdSerializers } from 'pino'

export type { Logger }

/** What PostgreSQL says about refused data quotes the data, which may be personal: of such errors only the code is told. */
const errorWithoutData = (error: unknown): unknown => {
  if (error instanceof pg.DatabaseError) return { type: error.name, code: error.code, routine: error.routine }
  return error instanceof Error ? stdSerializers.err(error) : error
}

/** JSON lines on standard output. What is logged names things by id; never a text, a number, a name or a secret. */
export const createLog = (level: string): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorWithoutData } })

/** For tests: says nothing. */
export const silentLog = (): Logger => pino({ level: 'silent' })
