import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import type { Page } from 'playwright-core'
import type { Visitor } from '../test/visitor.ts'

/** Sets the session cookie: the sign-in page would cost seconds. */
export const signIn = async (page: Page, { url, cookie }: Visitor) => {
  const [name, value] = cookie?.split('=') ?? []
  if (name !== sessionCookie || !value) throw new Error('this visitor is not signed in')
  // Set by a https address because it is secure; Chromium also sends it to localhost.
  const address = url.replace(/^http:/, 'https:')
  await page.context().addCookies([{ name, value, url: address, secure: true, httpOnly: true, sameSite: 'Lax' }])
}
