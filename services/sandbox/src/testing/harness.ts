import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UserFacingSocketConfig, WAMessage } from '@whiskeysockets/baileys'
import { onTestFinished } from 'vitest'
import type { Phone } from '../phone/phone.ts'
import type { Device } from '../server/directory.ts'
import { type SandboxOptions, SandboxServer } from '../server/server.ts'
import { trustRoot } from '../wire/trust.ts'
import { LinkedNumber } from './linked-number.ts'
import { until } from './until.ts'

export interface World {
  server: SandboxServer
  /** 5511900000001, 'Padaria Sol': the number to link. */
  primary: Phone
  /** 5511900000002, 'Ana': a contact. */
  ana: Phone
  /** Not started yet; pair() links it. */
  shop: LinkedNumber
  /** One line a stanza, `<` in and `>` out. */
  wire: string[]
  client(config?: Partial<UserFacingSocketConfig>): Promise<LinkedNumber>
  /** world() does it when the test ends. */
  close(): Promise<void>
}

/** Baileys may still write a key when it is stopped. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-sandbox-'))
  onTestFinished(() => rm(folder, REMOVAL))
  return folder
}

/** For several tests: the caller closes it. */
export async function openWorld(
  options: SandboxOptions = {},
  config?: Partial<UserFacingSocketConfig>,
): Promise<World> {
  const server = new SandboxServer({ fewPreKeys: true, ...options })
  await server.start()
  const restoreTrust = trustRoot(server.rootPublicKey)
  const wire: string[] = []
  server.on('wire', (peer, direction, text) => wire.push(`${direction === 'in' ? '<' : '>'} ${peer} ${text}`))
  const folder = await mkdtemp(join(tmpdir(), 'prosa-sandbox-'))
  const clients: LinkedNumber[] = []
  const client = async (settings = config) => {
    const made = new LinkedNumber(server.url, join(folder, String(clients.length)), settings)
    clients.push(made)
    return made
  }
  const close = async () => {
    await Promise.all(clients.map((made) => made.stop()))
    await server.stop()
    restoreTrust()
    await rm(folder, REMOVAL)
  }
  return {
    server,
    wire,
    client,
    close,
    shop: await client(),
    primary: server.addPhone('5511900000001', 'Padaria Sol'),
    ana: server.addPhone('5511900000002', 'Ana'),
  }
}

export async function world(options: SandboxOptions = {}, config?: Partial<UserFacingSocketConfig>): Promise<World> {
  const opened = await openWorld(options, config)
  onTestFinished(opened.close)
  return opened
}

/** Links by QR code and waits for the first sync. */
export async function pair(client: LinkedNumber, phone: Phone): Promise<Device> {
  const shown = once(client, 'qr')
  await client.start()
  const [qr] = await shown
  const opened = once(client, 'open')
  const device = await phone.scan(qr)
  await opened
  await until('the first sync is over', () => !device.awaitsFirstSync && device.inbox.size === 0, 30_000)
  return device
}

export interface ReceivedMessage {
  message: WAMessage
  /** `notify`: live messages, `append`: the offline backlog. */
  type: string
  text: string | null | undefined
}

/** Skips history sync, group notices and echoes. */
export async function nextUpsert(client: LinkedNumber): Promise<ReceivedMessage> {
  for (;;) {
    const [{ message, type }] = await once(client, 'upsert')
    const content = message.message
    if (!content || content.protocolMessage || message.key.fromMe) continue
    return { message, type, text: content.conversation ?? content.extendedTextMessage?.text }
  }
}
