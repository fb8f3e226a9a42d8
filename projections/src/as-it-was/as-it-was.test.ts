import type { RecordThen } from '@prosa/contracts/http/past/moments'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accepted, added, contactLog, received, resolved } from '../contact-list/testing/contact-events.ts'
import { testProjections } from '../testing/test-projections.ts'

let prosa: Awaited<ReturnType<typeof testProjections>>
beforeAll(async () => {
  prosa = await testProjections({ now: () => at(900_000) })
})
afterAll(() => prosa.stop())

const [ana, bia] = [idOf('ana'), idOf('bia')]
const later = encodeURIComponent(at(800_000))

it('marks where something happened, from which one steps back and forth, and what changed since then', async () => {
  const [maria, joao] = [idOf('maria'), idOf('joao')]
  const { record, latest } = contactLog((...event) => prosa.append(...event))
  await record(ana, maria, added('Maria', null), received('M1', 'oi'), accepted)
  await record(ana, joao, added('João', null), received('M2', 'oi'))
  await record(ana, maria, { type: 'MessageRead', data: { messageId: 'M1' } }, resolved)
  const get = async (path: string, user = ana) => (await prosa.get(path, user, latest())).body
  const { marks, current } = await get(`/api/moments?em=${later}`)
  expect(current).toBe(5)
  expect(marks.map((mark: { at: string }) => Date.parse(mark.at) - Date.parse(at(0)))).toEqual(
    [0, 1, 2, 3, 4, 6].map((second) => second * 1000),
  )
  const em = encodeURIComponent(marks[2].em)
  expect(await get(`/api/moments?em=${em}`)).toMatchObject({ current: 2, marks: { length: 6 } })
  expect(await get(`/api/moments?em=${em}&contactId=${joao}`)).toMatchObject({ current: null, marks: { length: 2 } })
  expect(await get(`/api/moments/changes?em=${em}`)).toEqual({
    before: { waiting: 0, asked: 0, bot: 0, attending: 1, resolved: 0 },
    after: { waiting: 1, asked: 0, bot: 0, attending: 0, resolved: 1 },
    contacts: [
      { id: maria, name: 'Maria', before: 'attending', after: 'resolved' },
      { id: joao, name: 'João', before: null, after: 'waiting' },
    ],
    total: 2,
    latest: marks[5].em,
  })
  expect(await get(`/api/moments?em=${later}`, bia)).toEqual({ marks: [], current: null })
  expect(await get(`/api/moments?em=${em}`, bia)).toMatchObject({ type: 'invalid_request' })
  expect(await get(`/api/moments/changes?em=${later}`, bia)).toMatchObject({ total: 0, contacts: [] })
})

it('shows a record as it was, with its steps, to its own tenant only', async () => {
  const id = idOf('carla')
  const { record } = contactLog((...event) => prosa.append(...event))
  await record(ana, id, added('Carla', '5511988776655'), { type: 'ContactRenamed', data: { name: 'Carla da padaria' } })
  await prosa.append(ana, `company-${ana}`, {
    type: 'CompanyChoicesMade',
    data: { notifications: false, analytics: true },
  })
  const get = (path: string, user = ana) => prosa.get(path, user)
  const now: RecordThen = (await get(`/api/records/contact/${id}?em=${later}`)).body
  expect(now.values).toContainEqual({ label: 'Nome', value: 'Carla da padaria' })
  expect(now.current).toBe(1)
  const first = encodeURIComponent(now.marks[0]?.em ?? '')
  const before: RecordThen = (await get(`/api/records/contact/${id}?em=${first}`)).body
  expect(before.values).toContainEqual({ label: 'Nome', value: 'Carla' })
  expect(
    (await get(`/api/records/contact/${id}?em=${encodeURIComponent('2020-01-01T00:00:00.000Z')}`)).body,
  ).toMatchObject({ values: [], current: null })
  expect((await get(`/api/records/company/${ana}?em=${later}`)).body.values).toContainEqual({
    label: 'Notificações',
    value: 'não',
  })
  for (const path of [`contact/${id}`, `company/${ana}`, `flow/${id}`, 'flow/x', `access/${ana}`])
    expect((await get(`/api/records/${path}?em=${later}`, bia)).status).toBe(404)
  expect((await get(`/api/records/order/${id}?em=${later}`)).status).toBe(422)
})
