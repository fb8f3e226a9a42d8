import { createHmac, timingSafeEqual } from 'node:crypto'

const hexadecimalSha1 = /^[0-9a-f]{40}$/

/** Checks the format only. */
export const isSignature = (signature: unknown): signature is string =>
  typeof signature === 'string' && hexadecimalSha1.test(signature)

/**
 * Lower-case hexadecimal HMAC-SHA1 of the raw body (docs.kiwify.com.br/api-reference/webhooks/receiving). Tries all tokens: timing reveals
 * no near match, and replacement leaves no gap. Empty tokens never match.
 */
export const isSignedBy = (tokens: readonly string[], body: Uint8Array, signature: unknown): boolean => {
  if (!isSignature(signature)) return false
  const given = Buffer.from(signature, 'hex')
  let isSigned = false
  for (const token of tokens) {
    if (token === '') continue
    const isThis = timingSafeEqual(createHmac('sha1', token).update(body).digest(), given)
    isSigned = isThis || isSigned
  }
  return isSigned
}

/** The last in the URL: integrators saw `?a=b?signature=…`. */
export const signatureIn = (url: string): string | undefined => /^.*[?&]signature=([^&?#]*)/s.exec(url)?.[1]
