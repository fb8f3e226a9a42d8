import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { streamName } from '@prosa/contracts/streams'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { memoryEventStore } from '@prosa/kernel/event-store/memory'
import type { EventStore } from '@prosa/kernel/event-store/port'
import { diskFileStore } from '@prosa/kernel/files/disk'
import { type Host, host } from '@prosa/kernel/host'
import { sessionCookie } from '@prosa/kernel/http/browser-sessions'
import { everythingIn } from '@prosa/kernel/testing/everything-in'
import { until } from '@prosa/kernel/testing/until'
import type { Ports } from '@prosa/product/ports'
import { testPorts } from '@prosa/product/testing/test-ports'
import { sessionMigrations } from '../../migrations/session-migrations.ts'
import { type MediaSettings, media } from '../media-service.ts'
import { startMediaHost } from './whatsapp-media.ts'

const fast: MediaSettings = { loopback: true, pauses: [10, 10] }

type Headers = Record<string, string>

export interface UploadReply {
  status: number
  headers: globalThis.Headers
  body: { id: string; mediaType: string; bytes: number; type?: string; title?: string }
}

export const openMediaDesk = async (changes: Partial<Ports> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-media-'))
  // The log outlives the hosts of a test.
  const store: EventStore = { ...memoryEventStore(), close: async () => undefined }
  const ports = await testPorts({ migrations: [sessionMigrations], store, files: diskFileStore(folder), ...changes })
  const mediaHost = await startMediaHost()
  const hosts = new Set<Host>()
  let latest: Host

  const append = async (stream: string, owner: string, event: AnyEvent) => {
    let revision: bigint | 'no_stream' = 'no_stream'
    for await (const page of ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
    const metadata = {
      causationId: 'test',
      correlationId: `correlation of ${stream}`,
      actor: { kind: 'user' as const, id: owner },
      owner,
      recordedAt: ports.clock.now(),
    }
    const encoded = await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
    const appended = await ports.store.append(stream, revision, encoded)
    if (!appended.ok) throw new Error('not appended')
  }

  const desk = {
    ports,
    mediaHost,
    folder,
    async start(settings: Partial<MediaSettings> = {}) {
      const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [], limitScale: 1000 }
      const started = await host([media({ ...fast, ...settings })], ports, options)
      hosts.add(started)
      latest = started
      return {
        async stop() {
          hosts.delete(started)
          await started.stop()
        },
      }
    },
    async cookieOf(user: string) {
      return `${sessionCookie}=${(await ports.browserSessions.issue(user)).token}`
    },
    url: (path: string) => `http://127.0.0.1:${new URL(latest.url).port}${path}`,
    async post(
      user: string,
      path: string,
      body?: string | Buffer | Readable,
      headers: Headers = {},
    ): Promise<UploadReply> {
      const reply = await fetch(desk.url(path), {
        method: 'POST',
        headers: { cookie: await desk.cookieOf(user), 'sec-fetch-site': 'same-origin', ...headers },
        ...(body !== undefined && { body: body as string, duplex: 'half' as const }),
      })
      return { status: reply.status, headers: reply.headers, body: (await reply.json()) as UploadReply['body'] }
    },
    upload: (user: string, file: string | Buffer | Readable, headers: Headers = {}) =>
      desk.post(user, '/api/whatsapp/media', file, { 'content-type': 'application/octet-stream', ...headers }),
    receive: (owner: string, contactId: string, content: MessageContent) =>
      append(streamName('chat', contactId), owner, {
        type: 'MessageReceived',
        data: { messageId: randomUUID(), connectionId: randomUUID(), content, sentAt: ports.clock.now() },
      }),
    send: (owner: string, contactId: string, content: MessageContent, byFlow: { automatic?: 'flow' } = {}) =>
      append(streamName('chat', contactId), owner, {
        type: 'MessageQueued',
        data: {
          ...{ messageId: randomUUID(), connectionId: randomUUID(), toJid: '1@lid', content, attendantId: owner },
          ...byFlow,
        },
      }),
    append,
    eraseChat: (owner: string, contactId: string) =>
      append(streamName('chat', contactId), owner, { type: 'ChatErased', data: {} }),
    eraseUser: (owner: string) => append(streamName('user', owner), owner, { type: 'UserErased', data: {} }),
    async events(mediaId: string): Promise<Stored[]> {
      const events = await everythingIn(ports.store, 'media')
      return events.filter(({ stream }) => stream === streamName('media', mediaId))
    },
    ends: <T extends AnyEvent['type']>(mediaId: string, type: T) =>
      until(async () => {
        const last = (await desk.events(mediaId)).at(-1)
        return last?.type === type ? (last as Extract<Stored, { type: T }>) : undefined
      }),
    /** Retries when files are deleted meanwhile. */
    async bytesInFolder(): Promise<Buffer> {
      for (;;) {
        try {
          const entries = await readdir(folder, { recursive: true, withFileTypes: true })
          const files = entries.filter((entry) => entry.isFile())
          return Buffer.concat(await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name)))))
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
        }
      }
    },
    async known(): Promise<number> {
      const { rows } = await ports.pool.query<{ count: number }>('select count(*)::int as count from media_file')
      return rows[0]?.count ?? 0
    },
    async clear() {
      for (const each of hosts) await each.stop()
      hosts.clear()
      await ports.pool.query('delete from media_file')
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
      Object.assign(mediaHost, { spoil: undefined, asked: 0, maxAtOnce: 0 })
    },
    async close() {
      for (const each of hosts) await each.stop()
      await mediaHost.stop()
      await ports.close()
      await rm(folder, { recursive: true })
    },
  }
  return desk
}

export type MediaDesk = Awaited<ReturnType<typeof openMediaDesk>>
