import Dialog from '@mui/material/Dialog'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Toast, useToast } from '../../lib/toast.ts'
import { ToastProvider } from './toast-provider.tsx'

const offered: { current: Toast['action'] } = { current: undefined }

const Buttons = () => {
  const toast = useToast()
  return ['Primeiro', 'Segundo'].map((title) => (
    <button key={title} type="button" onClick={() => toast({ title, kind: 'info', action: offered.current })}>
      Mostrar {title}
    </button>
  ))
}

const show = (title: string) => fireEvent.click(screen.getByRole('button', { name: `Mostrar ${title}` }))
const shown = (title: string) => screen.queryByText(title) !== null

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    render(
      <ToastProvider>
        <Buttons />
      </ToastProvider>,
    )
  })
  afterEach(() => {
    vi.useRealTimers()
    offered.current = undefined
  })

  it('stay for five seconds', () => {
    show('Primeiro')
    act(() => vi.advanceTimersByTime(4999))
    expect(shown('Primeiro')).toBe(true)
    act(() => vi.advanceTimersByTime(1))
    expect(shown('Primeiro')).toBe(false)
  })

  it('stand alone: the next takes the place, with its own five seconds', () => {
    show('Primeiro')
    act(() => vi.advanceTimersByTime(3000))
    show('Segundo')
    expect([shown('Primeiro'), shown('Segundo')]).toEqual([false, true])
    act(() => vi.advanceTimersByTime(4999))
    expect(shown('Segundo')).toBe(true)
  })

  it('take the focus on F8 and wait while they have it', () => {
    show('Primeiro')
    fireEvent.keyDown(window, { key: 'F8' })
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Avisos (F8)' }))
    act(() => vi.advanceTimersByTime(60_000))
    expect(shown('Primeiro')).toBe(true)
  })

  it('offer what can be done about it, once, for as long as they stand', () => {
    const taken = vi.fn()
    offered.current = { label: 'Desfazer', onPress: taken }
    show('Primeiro')
    fireEvent.click(screen.getByRole('button', { name: 'Desfazer' }))
    expect([taken.mock.calls.length, shown('Primeiro')]).toEqual([1, false])
    show('Primeiro')
    act(() => vi.advanceTimersByTime(5000))
    expect(screen.queryByRole('button', { name: 'Desfazer' })).toBeNull()
  })

  const swipe = (distancePx: number) => {
    const toast = screen.getByText('Primeiro')
    fireEvent.pointerDown(toast, { clientX: 100 })
    fireEvent.pointerMove(toast, { clientX: 100 + distancePx })
    fireEvent.pointerUp(toast, { clientX: 100 + distancePx })
  }

  it('go with a swipe of 50 px to the right, not with a shorter one', () => {
    show('Primeiro')
    swipe(49)
    expect(shown('Primeiro')).toBe(true)
    swipe(50)
    expect(shown('Primeiro')).toBe(false)
  })

  it('are there for screen readers while a dialog is open', async () => {
    vi.useRealTimers()
    show('Primeiro')
    render(<Dialog open>O que foi recusado</Dialog>)
    await waitFor(() => screen.getByRole('region', { name: 'Avisos (F8)' }))
    expect(screen.queryByRole('button', { name: 'Mostrar Primeiro' })).toBe(null)
    screen.getByRole('button', { name: 'Fechar aviso' })
  })
})
