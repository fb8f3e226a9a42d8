import type { Page } from 'playwright-core'
import type { Visitor } from '../test/visitor.ts'

/** Lets the browser have a session of this person, without the forms. */
export const signIn = async (page: Page, { url, email, password }: Visitor) => {
  await page.goto(`${url}/login`)
  const status = await page.evaluate(
    async (person) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch('/api/auth/login', { method: 'POST', headers, body: JSON.stringify(person) })).status
    },
    { email, password },
  )
  if (status !== 200) throw new Error(`signing in: ${status}`)
}
