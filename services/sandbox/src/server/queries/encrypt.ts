import { generateSignalPubKey } from '@whiskeysockets/baileys'
import { beBytes, bytes, child, children, el, type Stanza, seconds, uint } from '../../wire/stanza.ts'
import { isSignedBy } from '../../wire/trust.ts'
import type { Device, KeyBundle, SignedPreKey } from '../directory.ts'
import { type Namespace, notAcceptable, notFound, type QueryHandler } from './answer.ts'

const CURVE_25519 = Buffer.from([5])

const readKey = (node: Stanza) => ({ id: uint(bytes(node, 'id')), publicKey: bytes(node, 'value') })

function readSignedKey(node: Stanza | undefined): SignedPreKey {
  if (!node) throw new Error('no <skey>')
  return { ...readKey(node), signature: bytes(node, 'signature') }
}

const writeKey = (tag: string, key: { id: number; publicKey: Buffer; signature?: Buffer }) =>
  el(tag, {}, [
    el('id', {}, beBytes(key.id, 3)),
    el('value', {}, key.publicKey),
    ...(key.signature ? [el('signature', {}, key.signature)] : []),
  ])

function writeBundle(jid: string, bundle: KeyBundle | undefined): Stanza {
  if (!bundle) return el('user', { jid }, [el('error', { code: notFound.error, text: notFound.text })])
  return el('user', { jid, t: String(seconds()) }, [
    el('registration', {}, beBytes(bundle.registrationId, 4)),
    el('type', {}, CURVE_25519),
    el('identity', {}, bundle.identity),
    writeKey('skey', bundle.signedPreKey),
    ...(bundle.preKey ? [writeKey('key', bundle.preKey)] : []),
  ])
}

const genuine = (identity: Buffer, key: SignedPreKey) =>
  isSignedBy(identity, generateSignalPubKey(key.publicKey), key.signature)

/** A client that adds one-time keys repeats the rest, and a signature check takes milliseconds. */
const isKnown = ({ keys }: Device, identity: Buffer, { publicKey, signature }: SignedPreKey) =>
  keys?.identity.equals(identity) &&
  keys.signedPreKey.publicKey.equals(publicKey) &&
  keys.signedPreKey.signature.equals(signature)

const publishKeys: QueryHandler = (request, device) => {
  const identity = bytes(request, 'identity')
  const signedPreKey = readSignedKey(child(request, 'skey'))
  if (!isKnown(device, identity, signedPreKey) && !genuine(identity, signedPreKey)) return notAcceptable
  device.keys = { registrationId: uint(bytes(request, 'registration')), identity, signedPreKey }
  for (const node of children(child(request, 'list'), 'key')) {
    const { id, publicKey } = readKey(node)
    device.oneTimeKeys.set(id, publicKey)
  }
  return []
}

const rotate: QueryHandler = (request, device) => {
  const signedPreKey = readSignedKey(child(child(request, 'rotate'), 'skey'))
  if (!device.keys || !genuine(device.keys.identity, signedPreKey)) return notAcceptable
  device.keys = { ...device.keys, signedPreKey }
  return []
}

const digest: QueryHandler = (_request, { keys, oneTimeKeys }) => {
  if (!keys) return notFound
  const list = [...oneTimeKeys.keys()].map((id) => el('id', {}, beBytes(id, 3)))
  return [
    el('digest', {}, [
      el('registration', {}, beBytes(keys.registrationId, 4)),
      el('type', {}, CURVE_25519),
      el('identity', {}, keys.identity),
      writeKey('skey', keys.signedPreKey),
      el('list', {}, list),
    ]),
  ]
}

const count: QueryHandler = (_request, { oneTimeKeys }, server) => {
  // Baileys uploads 812 keys when the count is 0, but only 5 when it is 1 to 5.
  const value = oneTimeKeys.size === 0 && server.options.fewPreKeys ? 1 : oneTimeKeys.size
  return [el('count', { value: String(value) })]
}

const bundles: QueryHandler = (request, _device, server) => {
  const users = children(child(request, 'key'), 'user').map(({ attrs: { jid = '' } }) =>
    writeBundle(jid, server.takeBundle(server.directory.device(jid))),
  )
  return [el('list', {}, users)]
}

export const encrypt: Namespace = {
  'get/count': count,
  'get/digest': digest,
  'get/key': bundles,
  'set/registration': publishKeys,
  'set/rotate': rotate,
}
