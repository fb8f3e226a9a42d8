import { describe, expect, it } from 'vitest'
import { connection } from '../domain/connection.ts'
import { afterSlot, reconcile } from './reconcile.ts'

const until = '2026-11-21T14:02:00.000Z'
const linked = { ...connection.initial, status: 'linked' as const, generation: 3 }
const linking = { ...linked, status: 'linking' as const, linkingUntil: until }
const serving = { generation: 3, serves: true }
const outdated = { generation: 3, serves: false }

describe('a connection that wants a line', () => {
  it('gets one when it is linked', () => expect(reconcile(linked, undefined)).toEqual([{ type: 'startLine' }]))

  it('waits for its slot when it is to be linked', () =>
    expect(reconcile(linking, undefined)).toEqual([{ type: 'takeSlot', linkingUntil: until }]))

  it('keeps the line that serves it', () => {
    expect(reconcile(linked, serving)).toEqual([])
    expect(reconcile(linking, serving)).toEqual([])
  })

  it('gets another in place of one that does not serve it', () =>
    expect(reconcile(linked, outdated)).toEqual([{ type: 'stopLine', logOut: false }, { type: 'startLine' }]))

  it('logs out a line whose credentials were given up', () =>
    expect(reconcile({ ...linked, generation: 4 }, outdated)).toEqual([
      { type: 'stopLine', logOut: true },
      { type: 'startLine' },
    ]))
})

describe('a connection that wants no line', () => {
  const idle = { ...linked, status: 'idle' as const }
  const cleanup = [{ type: 'releaseSlot' }, { type: 'deleteCredentials', generation: 2 }, { type: 'deleteCodes' }]

  it('is cleaned up, but for the credentials of its generation', () =>
    expect(reconcile(idle, undefined)).toEqual(cleanup))

  it('stops its line first', () =>
    expect(reconcile(idle, serving)).toEqual([{ type: 'stopLine', logOut: false }, ...cleanup]))

  it('fails its messages and needs nobody any more when it was removed', () => {
    const end = [{ type: 'failWaiting' }, { type: 'finishLease' }]
    expect(reconcile({ ...linked, status: 'removed' }, undefined)).toEqual([...cleanup, ...end])
  })
})

describe('an attempt to link', () => {
  const time = { now: '2026-11-21T14:00:00.000Z', linkingWindow: 120_000 }
  const slot = { hasSlot: true, linkingUntil: '2026-11-21T14:01:00.000Z', isDelayed: false }

  it('starts with its slot', () => expect(afterSlot(slot, time)).toEqual([{ type: 'startLine' }]))

  it('is delayed without, and looked at again when its time is over', () =>
    expect(afterSlot({ ...slot, hasSlot: false }, time)).toEqual([
      { type: 'record', command: { type: 'DelayLinking', data: { until: slot.linkingUntil } } },
      { type: 'reconcileLater', ms: 60_000 },
    ]))

  it('that was delayed lasts as long as any other from its slot on', () =>
    expect(afterSlot({ ...slot, isDelayed: true }, time)).toEqual([
      { type: 'record', command: { type: 'ResumeLinking', data: { waitedUntil: slot.linkingUntil, until } } },
    ]))

  it('expires when its time is over before its slot', () =>
    expect(afterSlot({ ...slot, hasSlot: false, linkingUntil: time.now }, time)).toEqual([
      { type: 'record', command: { type: 'ExpireLinking', data: { until: time.now } } },
    ]))
})
