import { once } from 'node:events'
import { appendFile, copyFile, mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nextUpsert, pair, temporaryFolder, world } from '../testing/harness.ts'
import { LinkedNumber } from '../testing/linked-number.ts'
import { until } from '../testing/until.ts'
import { SandboxServer } from './server.ts'
import { PendingChanges, StateChanges } from './state-changes.ts'
import { StateTree } from './state-tree.ts'
import { readStateFile, StateFile } from './store.ts'

async function reopen(stateFile: string, port: number) {
  const server = new SandboxServer({ fewPreKeys: true, stateFile, port })
  onTestFinished(() => server.stop())
  const [primary, ana] = [server.phones.get('5511900000001'), server.phones.get('5511900000002')]
  if (!primary || !ana) throw new Error('the phones are gone')
  return { server, primary, ana }
}

const portOf = (server: SandboxServer) => Number(new URL(server.url).port)

test('a linked client logs in again after the server was stopped and made anew from its file', async () => {
  const folder = await temporaryFolder()
  const stateFile = join(folder, 'state.json')
  const before = await world({ stateFile })
  const shop = new LinkedNumber(before.server.url, join(folder, 'auth'))
  onTestFinished(() => shop.stop())
  const device = await pair(shop, before.primary)
  const received = nextUpsert(shop)
  await before.ana.sendText(before.primary.number, 'antes')
  expect((await received).text).toBe('antes')
  const answered = before.ana.nextMessage()
  await shop.socket.sendMessage(before.ana.account.jid('lid'), { text: 'resposta antes' })
  await answered
  await before.server.stop()
  await before.ana.sendText(before.primary.number, 'enquanto fora')
  await before.server.saved()

  const missed = nextUpsert(shop)
  const opened = once(shop, 'open')
  const after = await reopen(stateFile, portOf(before.server))
  expect(after.primary.companions().map((companion) => companion.id)).toEqual([device.id])
  await after.server.start()
  await opened
  expect(await missed).toMatchObject({ text: 'enquanto fora', type: 'append' })
  const inbound = nextUpsert(shop)
  await after.ana.sendText(after.primary.number, 'depois')
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
  const group = before.server.createGroup('Clientes', before.ana, [before.primary, bia])
  await pair(before.shop, before.primary)
  const received = nextUpsert(before.shop)
  await before.ana.sendToGroup(group, { conversation: 'oi, grupo' })
  await received
  const copied = before.ana.nextMessage()
  await before.shop.socket.sendMessage(before.ana.account.jid('lid'), { text: 'tudo bem' })
  await copied
  // The client's data is in the file: it is sent only after the save.
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

async function openFile() {
  const path = join(await temporaryFolder(), 'deep', 'state.json')
  const pending = new PendingChanges()
  const failures: unknown[] = []
  const writes: number[] = []
  const file = new StateFile({
    path,
    changes: pending,
    onFailure: (error) => failures.push(error),
    onWritten: (bytes) => writes.push(bytes),
  })
  const found = () => {
    const tree = readStateFile(path)
    if (!(tree instanceof StateTree)) throw new Error('no file of steps')
    return tree.entries<unknown>('things')
  }
  return { path, file, changes: new StateChanges(pending).at('things'), failures, writes, found }
}

test('nothing is sent before it is saved, and effects keep their order', async () => {
  const { path, file, changes, failures, found } = await openFile()
  const seen: unknown[] = []
  for (const round of [1, 2, 3]) {
    changes.set(String(round), () => round)
    file.release(() => seen.push([round, found().length]))
  }
  expect(seen).toEqual([])
  await file.saved()
  changes.set('4', () => 4)
  file.release(() => seen.push([4, found().length]))
  await file.saved()
  expect(seen).toEqual([...[1, 2, 3].map((round) => [round, 3]), [4, 4]])
  expect((await stat(path)).mode & 0o077).toBe(0)
  expect(failures).toEqual([])
})

test('while the file cannot be written everything waits, and goes out once it can', async () => {
  const { path, file, changes, failures, found } = await openFile()
  await mkdir(`${path}.new`, { recursive: true })
  const seen: string[] = []
  changes.set('a', () => 'saved')
  file.release(() => seen.push('sent'))
  await until('the failure is reported', () => failures.length > 0)
  expect(seen).toEqual([])
  await rmdir(`${path}.new`)
  await until('it is sent', () => seen.length === 1)
  expect(found()).toEqual([['a', 'saved']])

  await rm(path)
  await mkdir(join(path, 'in the way'), { recursive: true })
  changes.set('b', () => 'too')
  file.release(() => seen.push('sent too'))
  await until('the failure is reported', () => failures.length > 1)
  changes.set('c', () => 'meanwhile')
  await rm(path, { recursive: true })
  await until('it is sent', () => seen.length === 2)
  await file.saved()
  expect(found()).toEqual([
    ['a', 'saved'],
    ['b', 'too'],
    ['c', 'meanwhile'],
  ])
})

test('a value is in the file as it was last, in the order of its coming, or not at all', async () => {
  const { file, changes, writes, found } = await openFile()
  for (const name of ['a', 'b', 'c']) changes.set(name, () => `${name} 1`)
  await file.saved()
  changes.set('b', () => 'b 2')
  changes.set('b', () => 'b 3')
  changes.set('never', () => 1)
  changes.remove('never')
  changes.remove('a')
  changes.set('a', () => 'a again')
  changes.set('d', () => 'd 1')
  changes.remove('c')
  await file.saved()
  const expected = [
    ['b', 'b 3'],
    ['a', 'a again'],
    ['d', 'd 1'],
  ]
  expect(found()).toEqual(expected)
  expect(writes).toHaveLength(2)
  changes.set('d', () => 'd 1')
  await file.saved()
  expect(writes).toHaveLength(2)
  const part = changes.at('part')
  part.set('x', () => 1)
  part.clear()
  part.set('y', () => 2)
  part.at('deeper').set('z', () => 3)
  await file.saved()
  expect(found()).toEqual(expected)
})

test('what was taken away and made anew has nothing of before', async () => {
  const { path, file, changes } = await openFile()
  const before = changes.at('chat')
  before.set('old', () => 1)
  await file.saved()
  before.clear()
  changes.at('chat').set('new', () => 2)
  await file.saved()
  const tree = readStateFile(path)
  expect(tree instanceof StateTree && tree.entries('things', 'chat')).toEqual([['new', 2]])
})

test('a step costs what it changes, however much there is, and the file stays within twice the whole', async () => {
  const { path, file, changes, writes } = await openFile()
  const text = 'x'.repeat(200)
  const costAt = async (size: number) => {
    for (let at = 0; at < size; at++) changes.set(`${size} ${at}`, () => text)
    await file.saved()
    changes.set('last', () => size)
    await file.saved()
    const from = writes.length
    for (let round = 0; round < 20; round++) {
      changes.set(`${size} 0`, () => `${round} ${text}`)
      await file.saved()
    }
    return Math.max(...writes.slice(from))
  }
  const [few, many] = [await costAt(50), await costAt(20_000)]
  expect(many).toBeLessThan(few + 100)
  const total = () => writes.reduce((sum, bytes) => sum + bytes, 0)
  const before = total()
  const [rounds, each] = [40, 1000]
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < each; at++) changes.set(`20000 ${at}`, () => `${round} ${text}`)
    await file.saved()
  }
  // Amortized, each changed byte is written little more than twice.
  expect(total() - before).toBeLessThan(3 * rounds * each * (text.length + 60))
  const whole = 20_050 * (text.length + 60)
  expect((await stat(path)).size).toBeLessThan(2 * whole + 2 ** 20)
})

test('what somebody deletes while it runs is written anew', async () => {
  const { path, file, changes, found } = await openFile()
  changes.set('a', () => 1)
  await file.saved()
  await rm(path)
  changes.set('b', () => 2)
  await file.saved()
  expect(found()).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  await appendFile(path, 'from somebody else')
  changes.set('c', () => 3)
  await file.saved()
  expect(found().map(([name]) => name)).toEqual(['a', 'b', 'c'])
})

test('a step that a killed process had not finished is as if it never was, wherever it broke off', async () => {
  const { path, file, changes, found } = await openFile()
  changes.set('a', () => 'ação')
  await file.saved()
  const before = await readFile(path)
  changes.set('a', () => 'outra')
  changes.set('b', () => 'b')
  await file.saved()
  const after = await readFile(path)
  expect(after.subarray(0, before.length).equals(before)).toBe(true)
  for (let bytes = before.length; bytes < after.length; bytes++) {
    await writeFile(path, after.subarray(0, bytes))
    expect(found()).toEqual([['a', 'ação']])
  }
  const damaged = Buffer.concat([before.subarray(0, -3), after.subarray(before.length - 1)])
  await writeFile(path, damaged)
  expect(() => readStateFile(path)).toThrow(/damaged/)
})

test('a damaged or foreign file is refused instead of overwritten', async () => {
  const folder = await temporaryFolder()
  const stateFile = join(folder, 'state.json')
  await writeFile(stateFile, '{"version":1,')
  expect(() => new SandboxServer({ stateFile })).toThrow(/damaged/)
  await writeFile(stateFile, '{"version":99}')
  expect(() => new SandboxServer({ stateFile })).toThrow(/version 99/)
})
