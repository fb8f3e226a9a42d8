import { render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { lazyPart, useIdleLoading } from './lazy-part.tsx'

const Dialog = ({ onClose }: { onClose: () => void }) => (
  <button type="button" onClick={onClose}>
    Pronto
  </button>
)
const fetched = () => vi.fn(async () => Dialog)
const offline = new TypeError('Failed to fetch dynamically imported module')
const sentence = 'Esta parte da tela não pôde ser carregada.'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('is fetched once, when it is first shown', async () => {
  const load = fetched()
  const Part = lazyPart(load, 'Só um instante')
  expect(load).not.toHaveBeenCalled()
  const { unmount } = render(<Part onClose={() => undefined} />)
  expect(screen.getByText('Só um instante')).toBeDefined()
  expect(await screen.findByText('Pronto')).toBeDefined()
  unmount()
  render(<Part onClose={() => undefined} />)
  expect(screen.getByText('Pronto')).toBeDefined()
  expect(load).toHaveBeenCalledOnce()
})

it('is there already when the page was at rest before the line went down', async () => {
  vi.useFakeTimers()
  const load = fetched().mockResolvedValueOnce(Dialog).mockRejectedValue(offline)
  const Part = lazyPart(load)
  renderHook(useIdleLoading)
  expect(load).not.toHaveBeenCalled()
  await vi.runAllTimersAsync()
  expect(load).toHaveBeenCalledOnce()
  render(<Part onClose={() => undefined} />)
  expect(screen.getByText('Pronto')).toBeDefined()
})

it('shows in its place that it could not be fetched, can be closed, and comes when it is asked for again', async () => {
  const user = userEvent.setup()
  const onClose = vi.fn()
  const Part = lazyPart(fetched().mockRejectedValueOnce(offline))
  render(
    <>
      <p>A conversa</p>
      <Part onClose={onClose} />
    </>,
  )
  expect((await screen.findByRole('alert')).textContent).toContain(sentence)
  expect(screen.getByText('A conversa')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Fechar' }))
  expect(onClose).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
  expect(await screen.findByText('Pronto')).toBeDefined()
})

it('asks for a fresh page when it fails again though there is a line', async () => {
  const user = userEvent.setup()
  vi.stubGlobal('navigator', Object.create(navigator, { onLine: { value: false, writable: true } }))
  const Part = lazyPart(fetched().mockRejectedValue(offline))
  const { rerender } = render(<Part onClose={() => undefined} />)
  await user.click(await screen.findByRole('button', { name: 'Tentar de novo' }))
  expect(await screen.findByRole('button', { name: 'Tentar de novo' })).toBeDefined()
  Object.assign(navigator, { onLine: true })
  rerender(<Part onClose={() => undefined} />)
  await waitFor(() => expect(screen.getByRole('button', { name: 'Recarregar' })).toBeDefined())
})
