import pg from 'pg'
import { StoreUnavailable } from '../../async/reachability.ts'
import { UndecodableEvent } from '../../event-store/codec.ts'
import { InvalidAppend } from '../../event-store/port.ts'
import { FilesUnavailable } from '../../files/port.ts'
import { placesOfError } from '../../observability/places-of-error.ts'
import { isUnreachable } from '../../postgres/is-unreachable.ts'
import { EffectUnknown } from './effect-once.ts'
import { Overtaken } from './epochs.ts'
import type { Failure } from './parked-queries.ts'

/** Nothing is wrong with the work: the store, the files or the database are away, or another process has taken over. */
export const passes = (error: unknown): boolean =>
  error instanceof StoreUnavailable ||
  error instanceof FilesUnavailable ||
  error instanceof Overtaken ||
  isUnreachable(error)

/** Trying again would change nothing, or must not be done without being asked. */
export const isFinal = (error: unknown): boolean => error instanceof UndecodableEvent || error instanceof EffectUnknown

/** Whether what parked a key is an event that the process could not read, as one of an earlier release cannot those of a later. */
export const isUndecodable = (errorName: string): boolean => errorName === 'UndecodableEvent'

/** Errors whose message names things by id and shape only. */
const isDiscreet = (error: Error): boolean =>
  error instanceof UndecodableEvent || error instanceof InvalidAppend || error instanceof EffectUnknown

/** `chat.ts:41`: the innermost frame of our own. */
const place = (error: Error): string | undefined => {
  const ours = placesOfError(error).filter((found) => !/node_modules|^node:/.test(found))
  const names = ours.map((found) => found.split(/[\\/]/).at(-1) ?? '')
  return names.map((name) => /^([\w.-]+\.[cm]?[jt]s:\d+):\d+$/.exec(name)?.[1]).find(Boolean)
}

/** What may be stored of an error: any message may quote what a customer wrote, so most are replaced by where it was thrown. */
export const failureOf = (error: unknown, attempts: number): Failure => {
  const effectId = error instanceof EffectUnknown ? error.effectId : null
  if (!(error instanceof Error)) return { errorName: 'unknown', message: 'not an error', attempts, effectId }
  const { name, message } = error
  if (isDiscreet(error)) return { errorName: name, message, attempts, effectId }
  if (error instanceof pg.DatabaseError)
    return { errorName: name, message: `PostgreSQL ${error.code ?? ''}`.trim(), attempts, effectId }
  return { errorName: name, message: `thrown at ${place(error) ?? 'an unknown place'}`, attempts, effectId }
}
