import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'
import { findTimeZone } from './queries.ts'

const ana = idOf('ana')
const day = [{ from: '08:00', to: '18:00' }]
const week = [[], day, day, day, day, day, []]
const set: AnyEvent = { type: 'OpeningHoursSet', data: { timeZone: 'America/Manaus', week, holidays: [] } }

describe('opening hours', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  let latest = ''
  const record = async (tenant: string, ...events: AnyEvent[]) => {
    for (const event of events) latest = await prosa.append(tenant, `openingHours-${tenant}`, event)
  }
  const hoursOf = async (user: string) => (await prosa.get('/api/opening-hours', user, latest)).body

  it('are none before any are set, by the clocks of Brasília', async () => {
    const shown = await hoursOf(idOf('nobody'))
    expect(shown).toMatchObject({ isSet: false, timeZone: 'America/Sao_Paulo', holidays: [], reply: { isOn: false } })
    expect(shown.week.flat()).toEqual([])
    expect(await findTimeZone(prosa.ports.pool, idOf('nobody'))).toBe('America/Sao_Paulo')
    expect((await prosa.get('/api/opening-hours')).status).toBe(401)
  })

  it('are those that were set last, with the reply as it stands', async () => {
    await record(ana, { type: 'OutOfHoursReplyWritten', data: { text: 'Voltamos às 8h.' } }, set, {
      type: 'OutOfHoursReplyTurnedOn',
      data: {},
    })
    const reply = { isOn: true, text: 'Voltamos às 8h.' }
    expect(await hoursOf(ana)).toEqual({ isSet: true, timeZone: 'America/Manaus', week, holidays: [], reply })
    expect(await findTimeZone(prosa.ports.pool, ana)).toBe('America/Manaus')
    await record(ana, { type: 'OutOfHoursReplyTurnedOff', data: {} })
    expect((await hoursOf(ana)).reply).toEqual({ ...reply, isOn: false })
  })

  it('have zones that PostgreSQL knows too', async () => {
    const { rows } = await prosa.ports.pool.query(
      `select to_char('2026-11-23T12:00:00Z'::timestamptz at time zone time_zone, 'HH24:MI') as "time"
       from opening_hours where owner = $1`,
      [ana],
    )
    expect(rows).toEqual([{ time: '08:00' }])
  })

  it('go with the account', async () => {
    const caio = idOf('caio')
    await record(caio, set)
    latest = await prosa.append(caio, `user-${caio}`, { type: 'UserErased', data: {} })
    expect(await hoursOf(caio)).toMatchObject({ isSet: false })
  })
})
