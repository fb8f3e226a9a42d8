import { once } from 'node:events'
import { copyFile, mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nextUpsert, pair, temporaryFolder, world } from '../testing/harness.ts'
import { LinkedNumber } from '../testing/linked-number.ts'
import { until } from '../testing/until.ts'
import { SandboxServer } from './server.ts'
import { readStateFile, StateFile } from './store.ts'

async function reopen(stateFile: string, port: number) {
  const server = new SandboxServer({ fewPreKeys: true, stateFile, port })
  onTestFinished(() => server.stop())
  const [owner, ana] = [server.phones.get('5511900000001'), server.phones.get('5511900000002')]
  if (!owner || !ana) throw new Error('the phones are gone')
  return { server, owner, ana }
}

const portOf = (server: SandboxServer) => Number(new URL(server.url).port)

test('a linked client logs in again after the server was stopped and made anew from its file', async () => {
  const folder = await temporaryFolder()
  const stateFile = join(folder, 'state.json')
  const before = await world({ stateFile })
  const shop = new LinkedNumber(before.server.url, join(folder, 'auth'))
  onTestFinished(() => shop.stop())
  const device = await pair(shop, before.owner)
  const received = nextUpsert(shop)
  await before.ana.sendText(before.owner.number, 'antes')
  expect((await received).text).toBe('antes')
  const answered = before.ana.nextMessage()
  await shop.socket.sendMessage(before.ana.account.jid('lid'), { text: 'resposta antes' })
  await answered
  await before.server.stop()
  await before.ana.sendText(before.owner.number, 'enquanto fora')
  await before.server.saved()

  const missed = nextUpsert(shop)
  const opened = once(shop, 'open')
  const after = await reopen(stateFile, portOf(before.server))
  expect(after.owner.companions().map((companion) => companion.id)).toEqual([device.id])
  await after.server.start()
  await opened
  expect(await missed).toMatchObject({ text: 'enquanto fora', type: 'append' })
  const inbound = nextUpsert(shop)
  await after.ana.sendText(after.owner.number, 'depois')
  expect(await inbound).toMatchObject({ text: 'depois', type: 'notify' })
  const outbound = after.ana.nextMessage()
  await shop.socket.sendMessage(after.ana.account.jid('lid'), { text: 'resposta depois' })
  expect((await outbound).text).toBe('resposta depois')
  expect(after.server.unanswered).toEqual([])
  expect(shop.closes).not.toContain(401)
})

test('a file copied while the server still runs is enough: nothing waits for a goodbye', async () => {
  const folder = await temporaryFolder()
  const stateFile = join(folder, 'state.json')
  const before = await world({ stateFile })
  const bia = before.server.addPhone('5511900000003', 'Bia')
  const group = before.server.createGroup('Clientes', before.ana, [before.owner, bia])
  await pair(before.shop, before.owner)
  const received = nextUpsert(before.shop)
  await before.ana.sendToGroup(group, { conversation: 'oi, grupo' })
  await received
  const copied = before.ana.nextMessage()
  await before.shop.socket.sendMessage(before.ana.account.jid('lid'), { text: 'tudo bem' })
  await copied
  // What the client has received is in the file by now: it leaves the server only after the save.
  const copy = join(folder, 'copy.json')
  await copyFile(stateFile, copy)
  await before.server.stop()

  const after = await reopen(copy, portOf(before.server))
  const opened = once(before.shop, 'open')
  await after.server.start()
  await opened
  const again = nextUpsert(before.shop)
  await after.ana.sendToGroup(group, { conversation: 'de volta' })
  expect((await again).text).toBe('de volta')
  const outbound = after.ana.nextMessage()
  await before.shop.socket.sendMessage(after.ana.account.jid('lid'), { text: 'bem-vinda' })
  expect((await outbound).text).toBe('bem-vinda')
})

test('nothing is sent before it is saved, and effects keep their order', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'deep', 'state.json')
  const state: number[] = []
  const failures: unknown[] = []
  const file = new StateFile({ path, snapshot: () => state, onFailure: (error) => failures.push(error) })
  const seen: unknown[] = []
  for (const turn of [1, 2, 3]) {
    state.push(turn)
    file.release(() => seen.push([turn, readStateFile(path)]))
  }
  expect(seen).toEqual([])
  await file.saved()
  expect(seen).toEqual([1, 2, 3].map((turn) => [turn, [1, 2, 3]]))
  expect((await stat(path)).mode & 0o077).toBe(0)
  expect(failures).toEqual([])
})

test('while the file cannot be written everything waits, and goes out once it can', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'state.json')
  await mkdir(`${path}.new`) // the temporary file cannot be made
  const failures: unknown[] = []
  const file = new StateFile({ path, snapshot: () => 'kept', onFailure: (error) => failures.push(error) })
  const seen: string[] = []
  file.release(() => seen.push('sent'))
  await until('the failure is reported', () => failures.length > 0)
  expect(seen).toEqual([])
  await rmdir(`${path}.new`)
  await until('it is sent', () => seen.length === 1)
  expect(JSON.parse(await readFile(path, 'utf8'))).toBe('kept')
})

test('a damaged or foreign file is refused instead of overwritten', async () => {
  const folder = await temporaryFolder()
  const stateFile = join(folder, 'state.json')
  await writeFile(stateFile, '{"version":1,')
  expect(() => new SandboxServer({ stateFile })).toThrow(/damaged/)
  await writeFile(stateFile, '{"version":99}')
  expect(() => new SandboxServer({ stateFile })).toThrow(/version 99/)
})
