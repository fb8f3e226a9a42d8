import { z } from 'zod'

/**
 * Reads input from a stranger's device: it may be missing, of another type, huge, or false. None of these throws, and
 * what comes out always fits the contracts.
 */

/** At most `longest` characters, and none that no database takes; anything that is no text is ''. */
export const untrustedText = (value: unknown, longest: number): string =>
  typeof value === 'string'
    ? value
        .slice(0, longest)
        .replace(/\p{Surrogate}/gu, '')
        .replaceAll('\0', '')
    : ''

/** A count from 0 on; undefined when it is none. Takes protobuf's 64-bit numbers. */
export const untrustedCount = (value: unknown): number | undefined => {
  const count = value === null || value === undefined ? Number.NaN : Number(String(value))
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** Bytes as base64; undefined when there are none or more than `most`. */
export const untrustedBytes = (value: unknown, max: number): string | undefined =>
  value instanceof Uint8Array && value.length > 0 && value.length <= max
    ? Buffer.from(value).toString('base64')
    : undefined

const printable = /^[\x21-\x7e]{1,128}$/

/** The id of a message; undefined when it is none that WhatsApp would give. */
export const untrustedId = (value: unknown): string | undefined =>
  typeof value === 'string' && printable.test(value) ? value : undefined

const webAddress = z.url({ protocol: /^https?$/ }).max(2000)

/** An address in the web; null when it is none. */
export const untrustedAddress = (value: unknown): string | null => webAddress.safeParse(value).data ?? null
