import { sessionCookie } from '@prosa/kernel/http/browser-sessions'
import type { Page } from 'playwright-core'
import type { Visitor } from '../test/visitor.ts'

/** Lets the browser have the session of this person, without the forms: a page only to sign in costs seconds. */
export const signIn = async (page: Page, { url, cookie }: Visitor) => {
  const [name, value] = cookie?.split('=') ?? []
  if (name !== sessionCookie || !value) throw new Error('this visitor is not signed in')
  // Such a cookie is only taken from a secure address; sent it is to this machine itself, too.
  const address = url.replace(/^http:/, 'https:')
  await page.context().addCookies([{ name, value, url: address, secure: true, httpOnly: true, sameSite: 'Lax' }])
}
