import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useWaitingTitle } from './use-waiting-title.ts'

let icon: HTMLLinkElement
beforeEach(() => {
  icon = document.createElement('link')
  icon.rel = 'icon'
  icon.href = '/prosa.svg'
  document.head.append(icon)
})
afterEach(() => icon.remove())

const drawn = () => decodeURIComponent(icon.href)

it('says in title and icon how many are waiting, and takes it back when nobody is', () => {
  const { rerender, unmount } = renderHook(({ waiting }) => useWaitingTitle(waiting), { initialProps: { waiting: 3 } })
  expect(document.title).toBe('(3) Bate Papo ao vivo · Prosa')
  expect(drawn()).toContain('>3</text>')
  rerender({ waiting: 12 })
  expect(document.title).toBe('(12) Bate Papo ao vivo · Prosa')
  expect(drawn()).toContain('>9+</text>')
  rerender({ waiting: 0 })
  expect(document.title).toBe('Bate Papo ao vivo · Prosa')
  expect(icon.href).toBe('http://127.0.0.1:3000/prosa.svg')
  rerender({ waiting: 1 })
  unmount()
  expect(icon.href).toBe('http://127.0.0.1:3000/prosa.svg')
})
