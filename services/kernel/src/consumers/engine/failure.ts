import pg from 'pg'
import { StoreUnavailable } from '../../async/reachability.ts'
import { UndecodableEvent } from '../../event-store/codec.ts'
import { InvalidAppend } from '../../event-store/port.ts'
import { FilesUnavailable } from '../../files/port.ts'
import { locationsOfError } from '../../observability/locations-of-error.ts'
import { isUnreachable } from '../../postgres/is-unreachable.ts'
import { EffectUnknown } from './effect-once.ts'
import { Overtaken } from './epochs.ts'
import type { Failure } from './parked-queries.ts'

/** Transient: store, files or database are unreachable, or another process took over. */
export const isTransient = (error: unknown): boolean =>
  error instanceof StoreUnavailable ||
  error instanceof FilesUnavailable ||
  error instanceof Overtaken ||
  isUnreachable(error)

/** A retry is useless, or needs an administrator. */
export const isFinal = (error: unknown): boolean => error instanceof UndecodableEvent || error instanceof EffectUnknown

/** Events of a later release cannot be decoded. */
export const isUndecodable = (errorName: string): boolean => errorName === 'UndecodableEvent'

/** Errors whose message holds ids and shapes only. */
const isDiscreet = (error: Error): boolean =>
  error instanceof UndecodableEvent || error instanceof InvalidAppend || error instanceof EffectUnknown

/** `chat.ts:41`: the innermost frame of our code. */
const locationOf = (error: Error): string | undefined => {
  const ours = locationsOfError(error).filter((found) => !/node_modules|^node:/.test(found))
  const names = ours.map((found) => found.split(/[\\/]/).at(-1) ?? '')
  return names.map((name) => /^([\w.-]+\.[cm]?[jt]s:\d+):\d+$/.exec(name)?.[1]).find(Boolean)
}

/** Messages may quote customers, so most are replaced by the code location. */
export const failureOf = (error: unknown, attempts: number): Failure => {
  const effectId = error instanceof EffectUnknown ? error.effectId : null
  if (!(error instanceof Error)) return { errorName: 'unknown', message: 'not an error', attempts, effectId }
  const { name, message } = error
  if (isDiscreet(error)) return { errorName: name, message, attempts, effectId }
  if (error instanceof pg.DatabaseError)
    return { errorName: name, message: `PostgreSQL ${error.code ?? ''}`.trim(), attempts, effectId }
  return { errorName: name, message: `thrown at ${locationOf(error) ?? 'an unknown place'}`, attempts, effectId }
}
