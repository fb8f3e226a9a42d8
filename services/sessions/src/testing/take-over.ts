import { makeWASocket } from '@whiskeysockets/baileys'
import { pino } from 'pino'
import { credentialStore } from '../gateway/credentials/credential-store.ts'
import { sharingAsyncStorage } from '../gateway/whatsapp/shared-async-storage.ts'
import type { Shop } from './shop.ts'

/** Like a restored backup beside the original. */
export const takeOver = async ({ ports, server }: Shop, connectionId: string): Promise<{ leave(): Promise<void> }> => {
  const { state } = await credentialStore(ports.pool, ports.box).open({ connectionId, generation: 0, token: '0' })
  const keys = { ...state.keys, set: () => undefined }
  const logger = pino({ level: 'silent' })
  const socket = sharingAsyncStorage(() =>
    makeWASocket({ auth: { creds: state.creds, keys }, waWebSocketUrl: server.url, logger }),
  )
  await new Promise<void>((resolve) => {
    socket.ev.on('connection.update', ({ connection }) => {
      if (connection === 'open') resolve()
    })
  })
  return { leave: () => socket.end(undefined) }
}
