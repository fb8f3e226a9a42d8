import { createHmac, timingSafeEqual } from 'node:crypto'

const hexadecimalSha1 = /^[0-9a-f]{40}$/

/** Whether it looks like a signature of Kiwify's, whoever made it. */
export const isSignature = (signature: unknown): signature is string =>
  typeof signature === 'string' && hexadecimalSha1.test(signature)

/**
 * Whether Kiwify signed these bytes: lower-case hexadecimal HMAC-SHA1 of the raw body under the token of the webhook
 * (docs.kiwify.com.br/api-reference/webhooks/receiving). Any of the tokens may have signed, so that one can be replaced
 * without a gap. Every token is tried, so that the time taken does not say which one nearly fitted. An empty token proves
 * nothing and signs nothing here.
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

/**
 * The signature of a request's address. Kiwify appends it with `?` or `&`; some integrators saw `?a=b?signature=…` where the
 * address had a query of its own, so that the last one in the text counts.
 */
export const signatureIn = (url: string): string | undefined => /^.*[?&]signature=([^&?#]*)/s.exec(url)?.[1]
