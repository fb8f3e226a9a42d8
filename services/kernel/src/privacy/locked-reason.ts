import { deliverySubject, orderSubject, type Subject, userSubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import type { Json } from '../json.ts'

/** What stands in a stored event in place of a personal value: nonce, tag and ciphertext in base64, and the key's id. */
export type Locked = { sealed: string; key: string }

/** Where the reason of an event stands among its locked fields, while it is locked and unlocked; no field of a contract. */
export const reasonField = '(reason)'

/** As it stands in the metadata. Reasons from before they were locked are any other text. */
const lockedForm = /^locked ([0-9a-f-]{36}) ([\w+/=]+)$/

export const lockedReason = ({ key, sealed }: Locked): string => `locked ${key} ${sealed}`

export const readLockedReason = (reason: string | undefined): Locked | undefined => {
  const [, key, sealed] = (reason !== undefined && lockedForm.exec(reason)) || []
  return key && sealed ? { key, sealed } : undefined
}

/**
 * Under whose key the reason of an event is locked: it is about the tenant, or the buyer, and goes with them. The reason of an erasure
 * is kept for the person who gave it, as is that of what belongs to nobody: otherwise it would be erased by what it explains.
 */
export const subjectOfReason = (event: {
  type: string
  stream: string
  owner: string | null
  actorId: string
}): Subject => {
  if (event.type === 'UserErased') return userSubject(event.actorId)
  if (event.owner !== null) return userSubject(event.owner)
  const { category, id } = parseStream(event.stream)
  if (category === 'webhookDelivery') return deliverySubject(id)
  return category === 'order' ? orderSubject(id) : userSubject(event.actorId)
}

/** The reason and the data apart. */
export const withoutReason = (data: { [field: string]: Json }) => {
  const { [reasonField]: reason, ...rest } = data
  return { reason, data: rest }
}
