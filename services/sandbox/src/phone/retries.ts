import type { KeyBundle } from '../server/directory.ts'
import { beBytes, bytes, child, el, type Stanza, uint } from '../wire/stanza.ts'

/** `count`: requests of this device so far. */
export function retryReceipt(stanza: Stanza, registrationId: number, count: number): Stanza {
  const { id, from, participant, t } = stanza.attrs
  return el('receipt', { to: from, participant, id, type: 'retry' }, [
    el('retry', { count: String(count), id, t, v: '1' }),
    el('registration', {}, beBytes(registrationId, 4)),
  ])
}

/** undefined when the device sent no keys. */
export function enclosedKeys(receipt: Stanza): KeyBundle | undefined {
  const keys = child(receipt, 'keys')
  if (!keys) return undefined
  const keyIn = (tag: string) => {
    const node = child(keys, tag)
    return node && { id: uint(bytes(node, 'id')), publicKey: bytes(node, 'value') }
  }
  const signedPreKey = keyIn('skey')
  if (!signedPreKey) throw new Error('retry receipt without a signed pre-key')
  return {
    registrationId: uint(bytes(receipt, 'registration')),
    identity: bytes(keys, 'identity'),
    signedPreKey: { ...signedPreKey, signature: bytes(child(keys, 'skey'), 'signature') },
    preKey: keyIn('key'),
  }
}
