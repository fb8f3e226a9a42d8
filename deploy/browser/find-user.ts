import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** In the panel's tab Usuários: what is searched for is in no address. */
export const findUser = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel('Buscar por nome ou e-mail').fill(email)
  const rows = page.getByRole('table', { name: 'Usuários' }).locator('tbody tr')
  await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(1)
  await rows.filter({ hasText: email }).waitFor()
}
