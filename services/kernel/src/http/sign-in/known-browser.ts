import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SecretBox } from '../../privacy/secret-box.ts'

/** It is no session, and useless without the password. */
export const knownBrowserCookie = '__Host-prosa-browser'
const halfYearSeconds = 180 * 24 * 3600

const tagOf = (box: SecretBox, name: string, email: string) => box.fingerprint(`${name} ${email}`, 'known browser')

/** Guesses from other browsers count separately, so they cannot lock the user out (OWASP: device cookie). */
export const knownBrowser = (box: SecretBox, request: FastifyRequest, email: string): string | undefined => {
  const [name = '', tag = ''] = (request.cookies[knownBrowserCookie] ?? '').split('.')
  const expected = Buffer.from(tagOf(box, name, email))
  const given = Buffer.from(tag)
  return given.length === expected.length && timingSafeEqual(given, expected) ? name : undefined
}

export const storeKnownBrowser = (
  box: SecretBox,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): void => {
  const name = knownBrowser(box, request, email) ?? randomUUID()
  reply.setCookie(knownBrowserCookie, `${name}.${tagOf(box, name, email)}`, {
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'lax',
    maxAge: halfYearSeconds,
  })
}
