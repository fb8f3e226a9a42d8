import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { BinaryNode, WASocket } from '@whiskeysockets/baileys'
import { expect, it } from 'vitest'
import { handleMessagesInOrder } from './in-order.ts'

const busySocket = () => {
  const ws = Object.assign(new EventEmitter(), { isOpen: true })
  const begun: [id: string | undefined, offline: string | undefined, isOffline: boolean][] = []
  const failures: unknown[] = []
  let release: (error?: Error) => void = () => undefined
  ws.on('CB:message', ({ attrs }: BinaryNode) => {
    begun.push([attrs.id, attrs.offline, isOffline()])
    return new Promise<void>((resolve, reject) => {
      release = (error) => (error ? reject(error) : resolve())
    })
  })
  const isOffline = handleMessagesInOrder({ ws } as unknown as WASocket, (error) => failures.push(error))
  const receive = (id: string, offline?: string) => {
    const attrs = offline === undefined ? { id } : { id, offline }
    ws.emit('CB:message', { tag: 'message', attrs })
  }
  const next = async (error?: Error) => {
    release(error)
    await setImmediate()
  }
  return { ws, begun, failures, receive, next }
}

it('handles what WhatsApp kept like what is live, one to its end before the next, and reports which it is', async () => {
  const { begun, receive, next, failures } = busySocket()
  receive('KEPT', '1')
  receive('KEPT TOO', '2')
  receive('LIVE')
  await next()
  expect(begun).toEqual([['KEPT', '', true]])
  await next(new Error('made to fail'))
  await next()
  expect(begun.slice(1)).toEqual([
    ['KEPT TOO', '', true],
    ['LIVE', undefined, false],
  ])
  expect(failures).toHaveLength(1)
})

it('leaves to the next socket what this one had not begun with when it closed', async () => {
  const { ws, begun, receive, next } = busySocket()
  receive('BEGUN')
  receive('REPEATED')
  await next()
  ws.isOpen = false
  await next()
  expect(begun.map(([id]) => id)).toEqual(['BEGUN'])
})
