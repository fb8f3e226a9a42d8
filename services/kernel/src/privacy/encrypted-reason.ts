import { deliverySubject, orderSubject, type Subject, userSubject } from '@prosa/contracts/events/subjects'
import { parseStream } from '@prosa/contracts/streams'
import type { Json } from '../json.ts'

/** nonce | tag | ciphertext in base64, and the key's id. */
export type Encrypted = { sealed: string; key: string }

/** No contract has this field. */
export const reasonField = '(reason)'

/** Reasons from before encryption are any other text. */
const encryptedForm = /^locked ([0-9a-f-]{36}) ([\w+/=]+)$/

export const encryptedReason = ({ key, sealed }: Encrypted): string => `locked ${key} ${sealed}`

export const readEncryptedReason = (reason: string | undefined): Encrypted | undefined => {
  const [, key, sealed] = (reason !== undefined && encryptedForm.exec(reason)) || []
  return key && sealed ? { key, sealed } : undefined
}

/** The reason is erased with the tenant or buyer. An erasure's reason uses the actor's key: else the erasure would erase it. */
export const subjectOfReason = (event: {
  type: string
  stream: string
  tenant: string | null
  actorId: string
}): Subject => {
  if (event.type === 'UserErased') return userSubject(event.actorId)
  if (event.tenant !== null) return userSubject(event.tenant)
  const { category, id } = parseStream(event.stream)
  if (category === 'webhookDelivery') return deliverySubject(id)
  return category === 'order' ? orderSubject(id) : userSubject(event.actorId)
}

export const withoutReason = (data: { [field: string]: Json }) => {
  const { [reasonField]: reason, ...rest } = data
  return { reason, data: rest }
}
