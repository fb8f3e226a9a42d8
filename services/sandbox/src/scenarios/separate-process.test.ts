import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder, world } from '../testing/harness.ts'
import { until } from '../testing/until.ts'
import { selfSignedCertificate } from '../wire/self-signed-certificate.ts'

const CLIENT = join(import.meta.dirname, '../testing/client-process.ts')

interface ClientEvent {
  event: string
  data: string
}

async function launchClient(url: string, folder: string, environment: Record<string, string>, mode = 'answer') {
  const events: ClientEvent[] = []
  const child = spawn(process.execPath, [await builtProgram(CLIENT), url, join(folder, 'auth'), mode], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill())
  const gone = once(child, 'exit')
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('@@')) events.push(JSON.parse(line.slice(2)))
  })
  const next = async (event: string) => {
    await until(`the client reports ${event}`, () => events.some((it) => it.event === event), 60_000)
    return events.find((it) => it.event === event)?.data ?? ''
  }
  return { next, events, gone }
}

const uploads = 'a client in another process needs only the URL (and NODE_EXTRA_CA_CERTS for uploads)'
test(uploads, async () => {
  const certificate = selfSignedCertificate()
  const { server, primary, ana } = await world({ certificate })
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'ca.pem'), certificate.cert)
  const client = await launchClient(server.url, folder, { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })
  await primary.scan(await client.next('qr'))
  await client.next('open')
  const reply = ana.nextMessage()
  await ana.sendText(primary.number, 'de longe')
  expect(await client.next('text')).toBe('de longe')
  expect((await ana.download((await reply).message)).toString()).toBe('recebi: de longe')
})

// Baileys sends the receipt before it notifies the application, which must store the message first.
test('a client killed inside its message handler never receives that message again', async () => {
  const { server, primary, ana } = await world()
  const folder = await temporaryFolder()
  const first = await launchClient(server.url, folder, {}, 'crash')
  const device = await primary.scan(await first.next('qr'))
  await first.next('open')
  await until('the first sync is over', () => !device.awaitsFirstSync && device.inbox.size === 0)
  await ana.sendText(primary.number, 'não me perca')
  await first.gone
  await until('the server holds nothing for it', () => device.inbox.size === 0)
  const second = await launchClient(server.url, folder, {})
  await second.next('open')
  await ana.sendText(primary.number, 'depois da queda')
  expect(await second.next('text')).toBe('depois da queda')
})
