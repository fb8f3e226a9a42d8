import { z } from 'zod'

/** Untrusted input may be missing, of another type, huge or false. These never throw, and results fit the contracts. */

/** Without characters that databases refuse; '' for anything else. */
export const untrustedText = (value: unknown, maxLength: number): string =>
  typeof value === 'string'
    ? value
        .slice(0, maxLength)
        .replace(/\p{Surrogate}/gu, '')
        .replaceAll('\0', '')
    : ''

/** Also from protobuf's 64-bit numbers. */
export const untrustedCount = (value: unknown): number | undefined => {
  const count = value === null || value === undefined ? Number.NaN : Number(String(value))
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** Base64; undefined when empty or too long. */
export const untrustedBytes = (value: unknown, max: number): string | undefined =>
  value instanceof Uint8Array && value.length > 0 && value.length <= max
    ? Buffer.from(value).toString('base64')
    : undefined

const printable = /^[\x21-\x7e]{1,128}$/

export const untrustedId = (value: unknown): string | undefined =>
  typeof value === 'string' && printable.test(value) ? value : undefined

const webAddress = z.url({ protocol: /^https?$/ }).max(2000)

export const untrustedAddress = (value: unknown): string | null => webAddress.safeParse(value).data ?? null
