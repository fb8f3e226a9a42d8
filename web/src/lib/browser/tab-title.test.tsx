import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useScreenTitle, useWaitingTab } from './tab-title.ts'

let icon: HTMLLinkElement
beforeEach(() => {
  icon = document.createElement('link')
  icon.rel = 'icon'
  icon.href = '/prosa.svg'
  document.head.append(icon)
})
afterEach(() => icon.remove())

const drawn = () => decodeURIComponent(icon.href)

it('shows in title and icon how many are waiting, and takes it back when nobody is', () => {
  renderHook(() => useScreenTitle('Bate Papo ao vivo'))
  const { rerender, unmount } = renderHook(({ waiting, words = `${waiting || ''}` }) => useWaitingTab(waiting, words), {
    initialProps: { waiting: 3 } as { waiting: number; words?: string },
  })
  expect(document.title).toBe('(3) Bate Papo ao vivo · Prosa')
  expect(drawn()).toContain('>3</text>')
  rerender({ waiting: 12 })
  expect(document.title).toBe('(12) Bate Papo ao vivo · Prosa')
  expect(drawn()).toContain('>9+</text>')
  rerender({ waiting: 3, words: '3, 1 pediu uma pessoa' })
  expect(document.title).toBe('(3, 1 pediu uma pessoa) Bate Papo ao vivo · Prosa')
  rerender({ waiting: 0 })
  expect(document.title).toBe('Bate Papo ao vivo · Prosa')
  expect(icon.href).toBe('http://127.0.0.1:3000/prosa.svg')
  rerender({ waiting: 1 })
  renderHook(() => useScreenTitle('Configurações'))
  expect(document.title).toBe('(1) Configurações · Prosa')
  unmount()
  expect(document.title).toBe('Configurações · Prosa')
  expect(icon.href).toBe('http://127.0.0.1:3000/prosa.svg')
})
