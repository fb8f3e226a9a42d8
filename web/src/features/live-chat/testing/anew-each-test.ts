import { afterEach, beforeEach, vi } from 'vitest'
import { standInForLayout } from './layout.ts'

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
