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
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
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

const appender = (ports: Ports) => async (stream: string, tenant: string, event: AnyEvent) => {
  let revision: bigint | 'no_stream' = 'no_stream'
  for await (const page of ports.store.read(stream)) revision = page.at(-1)?.revision ?? revision
  const metadata = {
    causationId: 'test',
    correlationId: `correlation of ${stream}`,
    actor: { kind: 'user' as const, id: tenant },
    tenant,
    recordedAt: ports.clock.now(),
  }
  const encoded = await ports.codec.encode([{ id: randomUUID(), stream, event, metadata }])
  const appended = await ports.store.append(stream, revision, encoded)
  if (!appended.ok) throw new Error('not appended')
}

type Append = ReturnType<typeof appender>

const chatEvents = (ports: Ports, append: Append) => ({
  receive: (tenant: string, contactId: string, content: MessageContent) =>
    append(streamName('chat', contactId), tenant, {
      type: 'MessageReceived',
      data: { messageId: randomUUID(), connectionId: randomUUID(), content, sentAt: ports.clock.now() },
    }),
  send: (tenant: string, contactId: string, content: MessageContent, byFlow: { automatic?: 'flow' } = {}) =>
    append(streamName('chat', contactId), tenant, {
      type: 'MessageQueued',
      data: {
        ...{ messageId: randomUUID(), connectionId: randomUUID(), toJid: '1@lid', content, attendantId: tenant },
        ...byFlow,
      },
    }),
  append,
  eraseChat: (tenant: string, contactId: string) =>
    append(streamName('chat', contactId), tenant, { type: 'ChatErased', data: {} }),
  eraseUser: (tenant: string) => append(streamName('user', tenant), tenant, { type: 'UserErased', data: {} }),
})

interface Running {
  latest: Host | undefined
  all: Set<Host>
}

const requests = (ports: Ports, running: Running) => {
  const cookieOf = async (user: string) => `${sessionCookie}=${(await ports.browserSessions.issue(user)).token}`
  const url = (path: string) => {
    if (!running.latest) throw new Error('start() comes first')
    return `http://127.0.0.1:${new URL(running.latest.url).port}${path}`
  }
  const post = async (
    user: string,
    path: string,
    body?: string | Buffer | Readable,
    headers: Headers = {},
  ): Promise<UploadReply> => {
    const reply = await fetch(url(path), {
      method: 'POST',
      headers: { cookie: await cookieOf(user), 'sec-fetch-site': 'same-origin', ...headers },
      ...(body !== undefined && { body: body as string, duplex: 'half' as const }),
    })
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as UploadReply['body'] }
  }
  const upload = (user: string, file: string | Buffer | Readable, headers: Headers = {}) =>
    post(user, '/api/whatsapp/media', file, { 'content-type': 'application/octet-stream', ...headers })
  return { cookieOf, url, post, upload }
}

const storage = (ports: Ports, folder: string) => {
  const events = async (mediaId: string): Promise<Stored[]> => {
    const all = await everythingIn(ports.store, 'media')
    return all.filter(({ stream }) => stream === streamName('media', mediaId))
  }
  return {
    events,
    ends: <T extends AnyEvent['type']>(mediaId: string, type: T) =>
      until(async () => {
        const last = (await events(mediaId)).at(-1)
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
  }
}

export const openMediaDesk = async (changes: Partial<Ports> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-media-'))
  // The log outlives the hosts of a test.
  const store: EventStore = { ...memoryEventStore(), close: async () => undefined }
  const ports = await testPorts({ migrations: [sessionMigrations], store, files: diskFileStore(folder), ...changes })
  const mediaHost = await startMediaHost()
  const running: Running = { latest: undefined, all: new Set() }

  return {
    ports,
    mediaHost,
    folder,
    ...chatEvents(ports, appender(ports)),
    ...requests(ports, running),
    ...storage(ports, folder),
    async start(settings: Partial<MediaSettings> = {}) {
      const options = { hostname: '127.0.0.1', port: 0, trustedOrigins: [], limitScale: 1000 }
      const started = await host([media({ ...fast, ...settings })], ports, options)
      running.all.add(started)
      running.latest = started
      return {
        async stop() {
          running.all.delete(started)
          await started.stop()
        },
      }
    },
    async clear() {
      for (const each of running.all) await each.stop()
      running.all.clear()
      await ports.pool.query('delete from media_file')
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
      Object.assign(mediaHost, { spoil: undefined, asked: 0, maxAtOnce: 0 })
    },
    async close() {
      for (const each of running.all) await each.stop()
      await mediaHost.stop()
      await ports.close()
      await rm(folder, { recursive: true })
    },
  }
}

export type MediaDesk = Awaited<ReturnType<typeof openMediaDesk>>
