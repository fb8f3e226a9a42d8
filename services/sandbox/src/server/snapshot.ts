/** The state of the whole sandbox as JSON, and back. */
import type { PhoneState } from '../phone/phone-state.ts'
import type { Stanza } from '../wire/stanza.ts'
import type { Device, Directory, PublishedKeys } from './directory.ts'
import type { MediaPorts } from './media.ts'

export const STATE_VERSION = 1

type StanzaState = [tag: string, attrs: Record<string, string>, content?: string | { bytes: string } | StanzaState[]]

interface DeviceState {
  id: number
  noiseKey?: string
  keys?: {
    registrationId: number
    identity: string
    signedPreKey: { id: number; publicKey: string; signature: string }
  }
  oneTimeKeys: [id: number, publicKey: string][]
  inbox: StanzaState[]
  awaitsFirstSync: boolean
}

interface AccountState {
  number: string
  name: string
  hidesNumber: boolean
  /** Numbers. */
  blocked?: string[]
  nextDeviceId: number
  devices: DeviceState[]
  phone?: PhoneState
}

interface GroupState {
  id: string
  subject: string
  creator: string
  created: number
  members: string[]
}

/** Where the servers listened: clients come back to the one, links to files name the other. */
export interface Ports {
  whatsapp: number
  media: MediaPorts
}

export interface SandboxState {
  version: number
  ports?: Ports
  accounts: AccountState[]
  groups: GroupState[]
  /** What a layer above keeps in the same file, e.g. the chats of the simulator. */
  attached?: unknown
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const unbase64 = (text: string) => Buffer.from(text, 'base64')

function saveStanza({ tag, attrs, content }: Stanza): StanzaState {
  if (content === undefined) return [tag, attrs]
  if (content instanceof Uint8Array) return [tag, attrs, { bytes: base64(content) }]
  return [tag, attrs, Array.isArray(content) ? content.map(saveStanza) : content]
}

function loadStanza([tag, attrs, content]: StanzaState): Stanza {
  if (content === undefined || typeof content === 'string') return { tag, attrs, content }
  return { tag, attrs, content: Array.isArray(content) ? content.map(loadStanza) : unbase64(content.bytes) }
}

const saveKeys = ({ registrationId, identity, signedPreKey: { id, publicKey, signature } }: PublishedKeys) => ({
  registrationId,
  identity: base64(identity),
  signedPreKey: { id, publicKey: base64(publicKey), signature: base64(signature) },
})

const loadKeys = ({ registrationId, identity, signedPreKey }: NonNullable<DeviceState['keys']>): PublishedKeys => ({
  registrationId,
  identity: unbase64(identity),
  signedPreKey: {
    id: signedPreKey.id,
    publicKey: unbase64(signedPreKey.publicKey),
    signature: unbase64(signedPreKey.signature),
  },
})

const saveDevice = (device: Device): DeviceState => ({
  id: device.id,
  noiseKey: device.noiseKey && base64(device.noiseKey),
  keys: device.keys && saveKeys(device.keys),
  oneTimeKeys: [...device.oneTimeKeys].map(([id, key]) => [id, base64(key)]),
  inbox: device.inbox.values().map(saveStanza),
  awaitsFirstSync: device.awaitsFirstSync,
})

function loadDevice(device: Device, state: DeviceState) {
  device.noiseKey = state.noiseKey === undefined ? undefined : unbase64(state.noiseKey)
  device.keys = state.keys && loadKeys(state.keys)
  for (const [id, key] of state.oneTimeKeys) device.oneTimeKeys.set(id, unbase64(key))
  for (const stanza of state.inbox) device.inbox.put(loadStanza(stanza))
  device.awaitsFirstSync = state.awaitsFirstSync
}

/** @param phones the simulated phones by number */
export function saveState(
  directory: Directory,
  phones: Map<string, { state(): PhoneState }>,
  ports: Ports,
  attached: unknown,
): SandboxState {
  const accounts = directory.accounts().map((account) => ({
    number: account.number,
    name: account.name,
    hidesNumber: account.hidesNumber,
    blocked: [...account.blocked].map((other) => other.number),
    nextDeviceId: account.nextDeviceId,
    devices: [...account.devices.values()].map(saveDevice),
    phone: phones.get(account.number)?.state(),
  }))
  const groups = [...directory.groups.values()].map((group) => ({
    ...group,
    creator: group.creator.number,
    members: [...group.members].map((member) => member.number),
  }))
  return { version: STATE_VERSION, ports, accounts, groups, attached }
}

/** Checks that a file's content is a state this version can load; throws otherwise. */
export function asSandboxState(content: unknown): SandboxState {
  const version = (content as Partial<SandboxState> | null)?.version
  if (version !== STATE_VERSION) throw new Error(`sandbox state of version ${version}, expected ${STATE_VERSION}`)
  return content as SandboxState
}

/** Fills an empty directory; returns what each account's phone had kept. */
export function loadState(directory: Directory, state: SandboxState): Map<string, PhoneState> {
  const phones = new Map<string, PhoneState>()
  for (const saved of state.accounts) {
    const account = directory.addAccount(saved.number, saved.name)
    account.hidesNumber = saved.hidesNumber
    for (const device of saved.devices) loadDevice(account.addDevice(device.id), device)
    account.nextDeviceId = saved.nextDeviceId
    if (saved.phone) phones.set(saved.number, saved.phone)
  }
  for (const { number, blocked = [] } of state.accounts) {
    const account = directory.byNumber(number)
    for (const other of blocked.flatMap((it) => directory.byNumber(it) ?? [])) account?.blocked.add(other)
  }
  for (const { id, subject, creator, created, members } of state.groups) {
    const founder = directory.byNumber(creator)
    const present = members.flatMap((number) => directory.byNumber(number) ?? [])
    if (founder) directory.groups.set(id, { id, subject, creator: founder, created, members: new Set(present) })
  }
  return phones
}
