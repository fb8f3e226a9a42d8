import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { prosaServer, withProsaServer } from '../../../test/prosa-server.ts'
import { socketEnd } from '../../../test/socket-end.ts'
import { createQueryClient } from '../../app/query-client.ts'
import { forgetReplies, request } from '../http/http.ts'
import { pollingPace } from './live-pace.ts'
import { SocketProvider, useSocketStatus } from './socket.tsx'

withProsaServer()

let read = 0
beforeEach(() => {
  read = 0
  forgetReplies()
  prosaServer.use(
    http.get('/api/x', () => {
      read++
      return HttpResponse.json({ read })
    }),
  )
})
afterEach(() => {
  vi.useRealTimers()
})

const Shown = ({ of: key }: { of: string }) => {
  const { data } = useQuery({ queryKey: [key], queryFn: () => request('GET', '/api/x') as Promise<{ read: number }> })
  return (
    <p>
      {useSocketStatus()} {data?.read ?? 'nothing'}
    </p>
  )
}

const open = async (of = 'x') => {
  const end = socketEnd()
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SocketProvider socket={end.socket}>
        <Shown of={of} />
      </SocketProvider>
    </QueryClientProvider>,
  )
  await screen.findByText('online 1')
  return { ...end, push: (name: string, payload?: unknown) => act(() => end.push(name, payload)) }
}

describe('the live line', () => {
  it.each([
    ['settings:update', 'company'],
    ['settings:update', 'opening-hours'],
    ['labels:update', 'labels'],
    ['quick_replies:update', 'quick-replies'],
  ])('reads again what another browser changed: %s, %s', async (name, of) => {
    const { push } = await open(of)
    push(name, { position: '7' })
    expect(await screen.findByText('online 2')).toBeDefined()
  })

  it('states on reconnecting the last position it received, and reads nothing again when that was all it missed', async () => {
    const { push, handshake } = await open()
    expect(handshake()).toEqual({})
    push('connect')
    push('resumed', { position: '10', complete: true })
    expect(handshake()).toEqual({ position: '10' })
    push('position', { position: '17' })
    push('disconnect', 'transport close')
    expect(screen.getByText('reconnecting 1')).toBeDefined()
    expect(handshake()).toEqual({ position: '17' })
    push('connect')
    expect(screen.getByText('reconnecting 1')).toBeDefined()
    push('resumed', { position: '20', complete: true })
    expect(screen.getByText('online 1')).toBeDefined()
    expect(handshake()).toEqual({ position: '20' })
    expect(read).toBe(1)
  })

  it('reads everything again when the server does not know what was missed', async () => {
    const { push } = await open()
    push('disconnect', 'transport close')
    push('connect')
    push('resumed', { position: '20', complete: false })
    expect(await screen.findByText('online 2')).toBeDefined()
  })

  it('reads everything again when the server answers nothing about what was missed', async () => {
    const { push } = await open()
    push('disconnect', 'transport close')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    push('connect')
    act(() => {
      vi.advanceTimersByTime(3000)
    })
    vi.useRealTimers()
    await waitFor(() => expect(read).toBe(2))
    expect(await screen.findByText('online 2')).toBeDefined()
  })

  it('is polled slowly from the first word of the server until it breaks', async () => {
    const { push } = await open()
    push('connect')
    expect(pollingPace(2000)).toBe(2000)
    push('resumed', { position: '1', complete: true })
    expect(pollingPace(2000)).toBeGreaterThan(2000)
    push('disconnect', 'ping timeout')
    expect(pollingPace(2000)).toBe(2000)
    // A server with an empty log has nothing to resume from.
    push('connect')
    push('position', { position: '2' })
    expect(pollingPace(2000)).toBeGreaterThan(2000)
  })

  it('waits long when too many tabs are open, polls meanwhile, and does not ask who is signed in', async () => {
    const { push, refuse, attempts } = await open()
    push('connect')
    push('resumed', { position: '1', complete: true })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    act(() => refuse('too_many_sockets'))
    expect(screen.getByText('crowded 1')).toBeDefined()
    expect(pollingPace(2000)).toBe(2000)
    act(() => {
      vi.advanceTimersByTime(30_000)
    })
    expect(attempts()).toBe(0)
    act(() => {
      vi.advanceTimersByTime(60_000)
    })
    expect(attempts()).toBe(1)
    vi.useRealTimers()
    push('connect')
    push('resumed', { position: '2', complete: true })
    expect(screen.getByText('online 1')).toBeDefined()
  })

  it('shows that there is no internet as soon as the browser knows', async () => {
    await open()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => {
      window.dispatchEvent(new Event('offline'))
    })
    expect(screen.getByText('offline 1')).toBeDefined()
    vi.restoreAllMocks()
  })
})
