/**
 * Linked numbers on Baileys alone in one process, to measure their cost; messages are only decrypted, acknowledged and counted. Argument:
 * URL. `{ link: name }` adds a number, replies `{ name, qr }`, then `{ name, open: true }`; `{ count: true }` replies `{ received }`.
 */

import { quietLibsignal } from '@prosa/product/quiet-libsignal'
import {
  type ConnectionState,
  DisconnectReason,
  initAuthCreds,
  makeWASocket,
  type SignalDataSet,
  type SignalDataTypeMap,
} from '@whiskeysockets/baileys'
import { pino } from 'pino'

const RECONNECT_MS = 100
const [, , url = ''] = process.argv
const logger = pino({ level: 'silent' })

let received = 0

function memoryKeys() {
  const values = new Map<string, unknown>()
  return {
    async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const found: { [id: string]: SignalDataTypeMap[T] } = {}
      for (const id of ids) {
        const key = values.get(`${type}/${id}`)
        if (key) found[id] = key as SignalDataTypeMap[T]
      }
      return found
    },
    async set(data: SignalDataSet) {
      for (const [type, entries] of Object.entries(data)) {
        for (const [id, key] of Object.entries(entries)) {
          if (key) values.set(`${type}/${id}`, key)
          else values.delete(`${type}/${id}`)
        }
      }
    },
  }
}

function link(name: string) {
  const auth = { creds: initAuthCreds(), keys: memoryKeys() }
  const connect = () => {
    const socket = makeWASocket({
      auth,
      logger,
      waWebSocketUrl: url,
      markOnlineOnConnect: false,
      syncFullHistory: false,
      shouldSyncHistoryMessage: () => false,
    })
    socket.ev.on('creds.update', (update) => Object.assign(auth.creds, update))
    socket.ev.on('messages.upsert', ({ messages }) => {
      received += messages.filter(({ message }) => message?.conversation || message?.extendedTextMessage).length
    })
    socket.ev.on('connection.update', ({ qr, connection, lastDisconnect }: Partial<ConnectionState>) => {
      if (qr) process.send?.({ name, qr })
      if (connection === 'open') process.send?.({ name, open: true })
      if (connection !== 'close') return
      const error = lastDisconnect?.error as { output?: { statusCode: number } } | undefined
      if (error?.output?.statusCode === DisconnectReason.restartRequired) connect()
      else setTimeout(connect, RECONNECT_MS)
    })
  }
  connect()
}

quietLibsignal()
process.on('disconnect', () => process.exit()) // the parent is gone
process.on('message', (message) => {
  const { link: name, count } = message as { link?: string; count?: boolean }
  if (name !== undefined) link(name)
  if (count) process.send?.({ received })
})
process.send?.('ready')
