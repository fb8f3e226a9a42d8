import type { Stanza } from '../wire/stanza.ts'

export type StanzaState = [
  tag: string,
  attrs: Record<string, string>,
  content?: string | { bytes: string } | StanzaState[],
]

interface Keys {
  registrationId: number
  identity: Buffer
  signedPreKey: { id: number; publicKey: Buffer; signature: Buffer }
}

export interface KeysState {
  registrationId: number
  identity: string
  signedPreKey: { id: number; publicKey: string; signature: string }
}

export interface DeviceAbout {
  noiseKey?: string | undefined
  keys?: KeysState | undefined
  awaitsFirstSync: boolean
}

export interface AccountAbout {
  name: string
  hidesNumber: boolean
  blocked?: string[]
  nextDeviceId: number
}

export interface GroupState {
  id: string
  subject: string
  creator: string
  created: number
  members: string[]
}

export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
export const unbase64 = (text: string) => Buffer.from(text, 'base64')

export function saveStanza({ tag, attrs, content }: Stanza): StanzaState {
  if (content === undefined) return [tag, attrs]
  if (content instanceof Uint8Array) return [tag, attrs, { bytes: base64(content) }]
  return [tag, attrs, Array.isArray(content) ? content.map(saveStanza) : content]
}

export function loadStanza([tag, attrs, content]: StanzaState): Stanza {
  if (content === undefined || typeof content === 'string') return { tag, attrs, content }
  return { tag, attrs, content: Array.isArray(content) ? content.map(loadStanza) : unbase64(content.bytes) }
}

export const saveKeys = ({
  registrationId,
  identity,
  signedPreKey: { id, publicKey, signature },
}: Keys): KeysState => ({
  registrationId,
  identity: base64(identity),
  signedPreKey: { id, publicKey: base64(publicKey), signature: base64(signature) },
})

export const loadKeys = ({ registrationId, identity, signedPreKey }: KeysState): Keys => ({
  registrationId,
  identity: unbase64(identity),
  signedPreKey: {
    id: signedPreKey.id,
    publicKey: unbase64(signedPreKey.publicKey),
    signature: unbase64(signedPreKey.signature),
  },
})
