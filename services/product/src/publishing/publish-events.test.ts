import { pseudonymSubject } from '@prosa/contracts/events/subjects'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import type { Position } from '@prosa/kernel/event-store/port'
import { secretBox } from '@prosa/kernel/privacy/secret-box'
import { memorySubjectKeys } from '@prosa/kernel/testing/memory-subject-keys'
import { beforeEach, describe, expect, it } from 'vitest'
import { type PublishEvents, publishEvents } from './publish-events.ts'

const [ana, bia] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const contactId = '33333333-3333-4333-8333-333333333333'

const accepted = (tenant: string): StoredOf<'ConversationAccepted'> => ({
  id: '44444444-4444-4444-8444-444444444444',
  type: 'ConversationAccepted',
  stream: `contact-${contactId}`,
  revision: 3n,
  position: '9' as Position,
  data: { attendantId: tenant },
  metadata: {
    causationId: 'c',
    correlationId: 'r',
    actor: { kind: 'user', id: tenant },
    tenant,
    schemaVersion: 1,
    recordedAt: '2026-11-27T03:00:00.000Z',
  },
})

describe('pseudonyms', () => {
  let keys: ReturnType<typeof memorySubjectKeys>
  let publish: PublishEvents
  const box = secretBox(new Uint8Array(32).fill(7))
  beforeEach(() => {
    keys = memorySubjectKeys()
    publish = publishEvents({ subjectKeys: keys, box })
  })
  const contactOf = async (tenant: string) => {
    const [event] = await publish([accepted(tenant)])
    return { contact: event?.data.contactId, subject: event?.subject, tenant: event?.tenant, data: event?.data }
  }

  it('are equal in all events of a tenant, and those of another tenant are others', async () => {
    const first = await contactOf(ana)
    expect(await contactOf(ana)).toEqual(first)
    expect(first.subject).toBe(`contact-${first.contact}`)
    expect(first.contact).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(first.data?.attendantId).toBe(first.tenant)
    const other = await contactOf(bia)
    expect(other.contact).not.toBe(first.contact)
    expect(other.tenant).not.toBe(first.tenant)
  })

  it('cannot be made again once the tenant is erased, but the tenant’s own can, to say what to delete', async () => {
    const before = await contactOf(ana)
    await keys.erase([pseudonymSubject(ana)])
    const after = await contactOf(ana)
    expect(after.contact).not.toBe(before.contact)
    expect(after.tenant).toBe(before.tenant)
  })
})
