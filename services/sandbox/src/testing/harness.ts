/** What test suites import: a running sandbox, two phones, and real Baileys clients to link to them. */
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
  /** 5511900000001, 'Padaria Sol': the number that gets linked. */
  owner: Phone
  /** 5511900000002, 'Ana': a contact. */
  ana: Phone
  /** A Baileys client, not started yet; pair() links it. */
  shop: LinkedNumber
  /** Every stanza of every client, one line each, `<` in and `>` out. */
  wire: string[]
  /** Another Baileys client of this world. */
  client(config?: Partial<UserFacingSocketConfig>): Promise<LinkedNumber>
  /** Stops clients and server; world() does it by itself when the test ends. */
  close(): Promise<void>
}

/** Baileys may still be writing a key when it is stopped. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }

/** A folder that is gone when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-sandbox-'))
  onTestFinished(() => rm(folder, REMOVAL))
  return folder
}

/** For suites that keep one sandbox over several tests: the caller closes it. */
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
    owner: server.addPhone('5511900000001', 'Padaria Sol'),
    ana: server.addPhone('5511900000002', 'Ana'),
  }
}

/** A sandbox for the running test alone; it is closed when the test ends. */
export async function world(options: SandboxOptions = {}, config?: Partial<UserFacingSocketConfig>): Promise<World> {
  const opened = await openWorld(options, config)
  onTestFinished(opened.close)
  return opened
}

/** Links the client to the phone by QR code and waits until the first sync is over. */
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
  /** `notify` for live messages, `append` for what waited while the client was away. */
  type: string
  text: string | null | undefined
}

/** Next message from somebody else (skips history sync, notices of groups and the echo of what the client sent itself). */
export async function nextUpsert(client: LinkedNumber): Promise<ReceivedMessage> {
  for (;;) {
    const [{ message, type }] = await once(client, 'upsert')
    const content = message.message
    if (!content || content.protocolMessage || message.key.fromMe) continue
    return { message, type, text: content.conversation ?? content.extendedTextMessage?.text }
  }
}
