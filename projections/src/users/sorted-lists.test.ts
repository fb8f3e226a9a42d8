import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Page } from '@prosa/contracts/http/page'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

const root = idOf('administrator')
const day = 24 * 3600
const now = at(40 * day)

let prosa: Awaited<ReturnType<typeof testProjections>>
let end: Position

const append = async (tenant: string | null, stream: string, event: AnyEvent) => {
  end = await prosa.append(tenant, stream, event)
}

const register = async (name: string, lastName: string, endsAtDay: number, status = 'active') => {
  const id = idOf(name)
  await append(id, `user-${id}`, {
    type: 'UserRegistered',
    data: { firstName: name, lastName, email: `${id.slice(0, 8)}@example.com`, credentialId: idOf('p') },
  })
  const data = { decision: 'extended', before: { endsAt: null, status: 'active' } } as const
  const endsAt = at(endsAtDay * day)
  await append(id, `subscription-${id}`, { type: 'AccessSet', data: { ...data, endsAt, status } as never })
}

const sell = async (id: string, amountCents: number | null, occurredAt: string, kind = 'order_approved') => {
  await append(null, `order-${id}`, {
    type: 'OrderReported',
    data: {
      ...{ deliveryId: 'd', kind: kind as 'order_approved', orderRef: id.toUpperCase(), subscriptionId: null },
      ...{ productId: null, productName: 'Pro', amountCents, paymentMethod: 'pix', occurredAt, accessUntil: null },
      ...{ accessDays: 30, token: null, buyerKey: null, buyerName: null, buyerEmail: null, buyerDocument: null },
    },
  })
}

beforeAll(async () => {
  prosa = await testProjections({ now: () => now })
  await append(idOf('Rui'), `user-${idOf('Rui')}`, {
    type: 'UserRegistered',
    data: { firstName: 'Rui', lastName: 'Castro', email: 'rui@example.com', credentialId: idOf('p') },
  })
  await append(root, `user-${root}`, {
    type: 'UserRegistered',
    data: { firstName: 'Zé', lastName: 'Raiz', email: 'ze@example.com', credentialId: idOf('p') },
  })
  await append(root, `user-${root}`, { type: 'RoleGranted', data: { role: 'admin' } })
  await register('Ávila', 'Souza', 44)
  await register('Bia', 'Reis', 90)
  await register('Caio', 'Reis', 20)
  await register('Duda', 'Reis', 60, 'cancelled')
  await sell('one', 9700, at(0))
  await sell('two', 5000, at(2 * day))
  await sell('three', 12_000, at(2 * day + 60), 'order_rejected')
  await sell('four', null, at(35 * day))
  await prosa.ports.readModels.reached(['users', 'transactions', 'monthly-totals', 'account'], end, 20_000)
})
afterAll(() => prosa.stop())

interface Row {
  firstName: string
  transactionId: string
}
/** Of names here, as in a cursor of a release before. */
const named = /ávila|avila|souza|bia|reis|g.meo|igual|castro/i
const everyPage = async (path: string): Promise<Row[]> => {
  const rows: Row[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await prosa.get(`${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, root, end)
    expect([path, status]).toEqual([path, 200])
    const page = body as Page<Row>
    rows.push(...page.items)
    if (page.nextCursor === null) return rows
    cursor = page.nextCursor
    expect([cursor, Buffer.from(cursor, 'base64url').toString()]).not.toEqual(
      expect.arrayContaining([expect.stringMatching(named)]),
    )
  }
}
const users = async (query: string) => (await everyPage(`/api/admin/users?${query}`)).map(({ firstName }) => firstName)
const transactions = async (query: string) =>
  (await everyPage(`/api/admin/transactions?${query}`)).map(({ transactionId }) => transactionId)

describe('the list of users', () => {
  it('is sorted by name without accents, by end and by registration, both ways', async () => {
    const byName = ['Ávila', 'Bia', 'Caio', 'Duda', 'Rui', 'Zé']
    expect(await users('sort=name&order=asc')).toEqual(byName)
    expect(await users('sort=name&order=desc')).toEqual(byName.toReversed())
    expect((await users('sort=end&order=desc')).slice(0, 4)).toEqual(['Bia', 'Duda', 'Ávila', 'Caio'])
    expect(await users('')).toEqual(['Duda', 'Caio', 'Bia', 'Ávila', 'Zé', 'Rui'])
  })

  it('is narrowed by the status that is shown, and by days', async () => {
    expect(await users('status=expired')).toEqual(['Caio'])
    expect(await users('status=cancelled')).toEqual(['Duda'])
    expect(await users('status=ending')).toEqual(['Ávila'])
    expect(await users('status=active&sort=name&order=asc')).toEqual(['Ávila', 'Bia', 'Rui', 'Zé'])
    expect(await users('from=2026-11-22')).toEqual([])
    const asked = { from: '2026-11-21', to: '2026-11-21', search: 'reis' }
    const { body } = await prosa.post('/api/admin/users/search', asked, root, end)
    expect((body as Page<Row>).items.map(({ firstName }) => firstName)).toEqual(['Duda', 'Caio', 'Bia'])
  })

  it('names nobody in the cursors of its addresses, and goes on from those of a release before', async () => {
    const sorted = '/api/admin/users?sort=name&order=asc'
    const first = await prosa.get(sorted, root, end)
    const all = (first.body as Page<Row & { id: string }>).items
    const { id, firstName } = all[1] as Row & { id: string }
    expect(firstName).toBe('Bia')
    const plain = Buffer.from(JSON.stringify(['bia~', id])).toString('base64url')
    const { status, body } = await prosa.get(`${sorted}&cursor=${plain}`, root, end)
    expect([status, body.items.map((row: Row) => row.firstName)]).toEqual([200, ['Caio', 'Duda', 'Rui', 'Zé']])
    expect((await prosa.get(`${sorted}&cursor=x`, root, end)).status).toBe(422)
  })

  it('goes on by key whatever it is sorted by, equal values included', async () => {
    for (let index = 0; index < 120; index++) {
      const id = idOf(`many ${index}`)
      const person = { firstName: `Gêmeo`, lastName: 'Igual', email: `g${index % 3}@example.com` }
      await append(id, `user-${id}`, { type: 'UserRegistered', data: { ...person, credentialId: idOf('p') } })
    }
    for (const sort of ['name', 'end', 'created'])
      for (const order of ['asc', 'desc']) {
        const found = await everyPage(`/api/admin/users?sort=${sort}&order=${order}`)
        expect([sort, order, found.length, new Set(found.map((row) => JSON.stringify(row))).size]).toEqual([
          ...[sort, order],
          ...[126, 126],
        ])
      }
  })

  it('refuses what it does not know with a sentence, also a page of another order', async () => {
    const wrong = ['sort=password', 'order=random', 'status=admin', 'from=ontem', 'from=2026-11-22&to=2026-11-21']
    for (const query of wrong)
      for (const list of ['users', 'users.csv', 'transactions'])
        expect([query, list, (await prosa.get(`/api/admin/${list}?${query}`, root, end)).status]).toEqual([
          ...[query, list],
          422,
        ])
    const { body } = await prosa.get('/api/admin/users?sort=name', root, end)
    const cursor = encodeURIComponent(body.nextCursor)
    expect((await prosa.get(`/api/admin/transactions?sort=amount&cursor=${cursor}`, root, end)).status).toBe(422)
    const hostile = [['\0', 'x'], ['1e999', 'x'], ['NaN', 'x'], ["' or 1=1", 'x'], ['1', "x' --"], ['1']]
    for (const values of hostile) {
      const made = Buffer.from(JSON.stringify(values)).toString('base64url')
      const { status } = await prosa.get(`/api/admin/transactions?sort=amount&cursor=${made}`, root, end)
      expect([values, [200, 422].includes(status)]).toEqual([values, true])
    }
  })
})

describe('the list of transactions', () => {
  it('is sorted by date and amount, and narrowed by status and days', async () => {
    expect(await transactions('')).toEqual(['FOUR', 'THREE', 'TWO', 'ONE'])
    expect(await transactions('sort=amount&order=desc')).toEqual(['THREE', 'ONE', 'TWO', 'FOUR'])
    expect(await transactions('sort=amount&order=asc')).toEqual(['FOUR', 'TWO', 'ONE', 'THREE'])
    expect(await transactions('status=declined')).toEqual(['THREE'])
    expect(await transactions('from=2026-11-23&to=2026-11-23&status=approved')).toEqual(['TWO'])
  })

  it('has hidden ones of its own, until they are brought back', async () => {
    await append(null, 'order-one', { type: 'OrderHidden', data: {} })
    expect(await transactions('')).toEqual(['FOUR', 'THREE', 'TWO'])
    expect(await transactions('hidden=true')).toEqual(['ONE'])
    await append(null, 'order-one', { type: 'OrderShown', data: {} })
    expect(await transactions('hidden=true')).toEqual([])
    expect(await transactions('')).toEqual(['FOUR', 'THREE', 'TWO', 'ONE'])
  })
})

it('curves count each month from events, also of accounts that are gone', async () => {
  const gone = idOf('Bia')
  await append(gone, `user-${gone}`, { type: 'UserErased', data: {} })
  const message = { messageId: 'M', connectionId: idOf('line'), sentAt: at(0), content: { kind: 'text', text: 'oi' } }
  await append(gone, `chat-${idOf('chat')}`, { type: 'MessageReceived', data: message as never })
  await prosa.ports.readModels.reached(['monthly-totals', 'transactions'], end, 20_000)
  const { body } = await prosa.get('/api/admin/curves', root, end)
  expect(body).toMatchObject([
    { month: '2026-11', newAccounts: 126, erasedAccounts: 1, messages: 1, endedAccess: 0, revenueCents: 14_700 },
    { month: '2026-12', newAccounts: 0, revenueCents: 0 },
  ])
  expect((await prosa.get('/api/admin/curves', idOf('Rui'))).status).toBe(403)
})
