import { afterEach, beforeEach, vi } from 'vitest'
import { standInForLayout } from './layout.ts'

/** Nothing is kept from one test of this file to the next, and each has a layout. */
export const anewEachTest = () => {
  beforeEach(() => {
    localStorage.clear()
    sessionStorage.clear()
    standInForLayout()
  })

  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
}
