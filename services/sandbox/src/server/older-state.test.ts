import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSimulator } from '../simulator/simulator.ts'
import { temporaryFolder } from '../testing/harness.ts'
import { openPage } from '../testing/simulator-page.ts'
import { SandboxServer } from './server.ts'
import { asSandboxState, type SandboxState } from './snapshot.ts'
import { readStateFile } from './store.ts'

/** State of the version before 2026-11-25. */
const golden = join(import.meta.dirname, 'golden/state.v1.json')
const wholeState = async (): Promise<SandboxState> => JSON.parse(await readFile(golden, 'utf8'))

const copyOfGolden = async () => {
  const stateFile = join(await temporaryFolder(), 'state.json')
  await copyFile(golden, stateFile)
  return stateFile
}
const stateIn = (path: string) => {
  const content = readStateFile(path)
  if (content === undefined) throw new Error('there is no file')
  return asSandboxState(content)
}
const lasting = ({ accounts, groups, attached }: SandboxState) => {
  const people = accounts.map(({ devices, ...account }) => ({
    ...account,
    devices: devices.map((device) => (device.id === 0 && account.phone?.online ? { ...device, inbox: [] } : device)),
  }))
  return JSON.parse(JSON.stringify({ people, groups, attached }))
}

test('a file that was written as a whole loads, and nothing of it is lost in the steps that follow', async () => {
  const stateFile = await copyOfGolden()
  const whole = await wholeState()
  for (const format of ['as it was', 'as we wrote it']) {
    const server = new SandboxServer({ stateFile })
    expect(server.attached, format).toEqual(whole.attached)
    await server.saved()
    expect(lasting(stateIn(stateFile)), format).toEqual(lasting(whole))
    await server.stop()
  }
})

test('people, chats and who is offline are there, and go on', async () => {
  const stateFile = await copyOfGolden()
  const before = await openPage({ stateFile })
  const [shop, ana, bia, caio] = await before.get('/phones')
  expect([shop.linkedDevices.length, caio.online, bia.online]).toEqual([1, false, true])
  const chat = await before.chat(ana.id, shop.number)
  expect(chat.map(({ text }) => text)).toEqual(['Vocês abrem domingo?', 'enquanto fora'])
  await before.post(`/phones/${caio.id}/online`)
  await expect.poll(() => before.status(ana.id, caio.number)).toBe('entregue')
  await before.post(`/phones/${ana.id}/chats/${bia.number}/messages`, { text: 'nova' })
  await expect.poll(() => before.status(ana.id, bia.number)).toBe('entregue')
  await before.close()

  const after = await openPage({ stateFile })
  expect((await after.get('/phones')).map(({ online }: { online: boolean }) => online)).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect((await after.chat(bia.id, ana.number)).map(({ text }) => text)).toEqual(['nova'])
  expect(await after.status(ana.id, caio.number)).toBe('entregue')
})

test('a message costs the same in a network of twenty thousand', async () => {
  const bytesOfTen = async (fill: (state: SandboxState) => void) => {
    const stateFile = join(await temporaryFolder(), 'state.json')
    const state = await wholeState()
    fill(state)
    await writeFile(stateFile, JSON.stringify(state))
    const simulator = await startSimulator({ stateFile })
    onTestFinished(() => simulator.stop())
    const [ana, bia] = ['5511987654322', '5511987654323'].map((number) => simulator.sandbox.phones.get(number))
    if (!ana || !bia) throw new Error('the phones are gone')
    for (const phone of simulator.sandbox.phones.values()) phone.latencyMs = 0
    const write = async (count: number) => {
      for (let at = 0; at < count; at++) {
        const received = bia.nextMessage()
        await ana.sendText(bia.number, `mensagem ${String(at).padStart(3, '0')}`)
        await received
        await simulator.saved()
      }
    }
    await write(5)
    const writes: number[] = []
    simulator.sandbox.on('stateWritten', (bytes) => writes.push(bytes))
    await write(10)
    return writes.reduce((sum, bytes) => sum + bytes, 0)
  }
  const few = await bytesOfTen(() => undefined)
  const many = await bytesOfTen(({ attached = [] }) => {
    for (const [, chats] of attached) {
      const messages = (partner: string) =>
        Array.from({ length: 500 }, (_, at) => {
          const at500 = new Date(at).toISOString()
          return { id: `${partner} ${at}`, fromMe: true, text: 'oi', at: at500, status: 'lida' }
        })
      for (let at = 0; at < 10; at++) chats.push([`55119000000${at}`, messages(`55119000000${at}`)])
    }
  })
  expect(few).toBeGreaterThan(1000)
  expect(many).toBeLessThan(few * 1.5)
})

test('a phone that is removed does not come back with what it had in hand', async () => {
  const stateFile = await copyOfGolden()
  const before = await openPage({ stateFile })
  const [, ana, bia] = await before.get('/phones')
  const writing = before.post(`/phones/${bia.id}/chats/${ana.number}/messages`, { text: 'e agora?' })
  await before.call('DELETE', `/phones/${bia.id}`)
  await writing
  await before.simulator.saved()
  const { accounts, attached = [], groups } = stateIn(stateFile)
  expect(accounts.map(({ number }) => number)).not.toContain(bia.number)
  expect(attached.map(([number]) => number)).not.toContain(bia.number)
  expect(groups[0]?.members).not.toContain(bia.number)
  await before.post('/phones', { name: 'Outra Bia', number: '11987654323' })
  await before.close()
  const after = await openPage({ stateFile })
  const other = (await after.get('/phones')).find(({ number }: { number: string }) => number === bia.number)
  expect([other.name, other.chats, other.linkedDevices]).toEqual(['Outra Bia', [], []])
})
