import type { PhoneState } from '../phone/phone-state.ts'
import type { Device, Directory } from './directory.ts'
import type { MediaPorts } from './media.ts'
import {
  type AccountAbout,
  type DeviceAbout,
  type GroupState,
  loadKeys,
  loadStanza,
  type StanzaState,
  unbase64,
} from './saved-parts.ts'
import { StateTree } from './state-tree.ts'

/** Older files, rewritten as a whole with every change. */
const WHOLE_VERSION = 1

interface DeviceState extends DeviceAbout {
  id: number
  oneTimeKeys: [id: number, publicKey: string][]
  inbox: StanzaState[]
}

interface AccountState extends AccountAbout {
  number: string
  devices: DeviceState[]
  phone?: PhoneState | undefined
}

/** Clients reconnect to one, links to files contain the other. */
export interface Ports {
  whatsapp: number
  media: MediaPorts
}

export type AttachedState = [number: string, chats: [partner: string, messages: { id: string }[]][]][]

export interface SandboxState {
  version: number
  ports?: Ports | undefined
  accounts: AccountState[]
  groups: GroupState[]
  attached?: AttachedState
}

function loadDevice(device: Device, state: DeviceState) {
  device.noiseKey = state.noiseKey === undefined ? undefined : unbase64(state.noiseKey)
  device.keys = state.keys && loadKeys(state.keys)
  for (const [id, key] of state.oneTimeKeys) device.oneTimeKeys.set(id, unbase64(key))
  for (const stanza of state.inbox) device.inbox.put(loadStanza(stanza))
  device.awaitsFirstSync = state.awaitsFirstSync
}

const deviceIn = (tree: StateTree, number: string, id: string): DeviceState[] => {
  const at = ['accounts', number, 'devices', id]
  const device = tree.value<DeviceAbout>(...at, 'about')
  if (!device) return []
  return [
    {
      ...device,
      id: Number(id),
      oneTimeKeys: tree.entries<string>(...at, 'keys').map(([keyId, key]) => [Number(keyId), key]),
      inbox: tree.entries<StanzaState>(...at, 'inbox').map(([, stanza]) => stanza),
    },
  ]
}

const phoneIn = (tree: StateTree, number: string): PhoneState | undefined => {
  const at = ['accounts', number, 'phone']
  const own = tree.value<Pick<PhoneState['signal'], 'registrationId' | 'identity' | 'signedPreKey'>>(...at, 'identity')
  if (!own) return undefined
  return {
    online: tree.value<boolean>(...at, 'online') ?? true,
    signal: {
      ...own,
      preKeys: tree
        .entries<PhoneState['signal']['preKeys'][0][1]>(...at, 'preKeys')
        .map(([id, pair]) => [Number(id), pair]),
      lastPreKeyId: tree.value<number>(...at, 'lastPreKeyId') ?? 0,
      sessions: tree.entries<unknown>(...at, 'sessions'),
      senderKeys: tree.entries<string>(...at, 'senderKeys'),
    },
    groups: tree.names(...at, 'groups').map((group) => [group, tree.names(...at, 'groups', group)]),
    sent: tree.entries<PhoneState['sent'][0][1]>(...at, 'sent'),
    received: tree.names(...at, 'received'),
  }
}

const accountIn = (tree: StateTree, number: string): AccountState[] => {
  const about = tree.value<AccountAbout>('accounts', number, 'about')
  if (!about) return []
  const devices = tree.names('accounts', number, 'devices').flatMap((id) => deviceIn(tree, number, id))
  return [{ number, ...about, devices, phone: phoneIn(tree, number) }]
}

const attachedIn = (tree: StateTree): AttachedState =>
  tree
    .names('attached')
    .map((number) => [
      number,
      tree
        .names('attached', number)
        .map((partner) => [
          partner,
          tree.entries<{ id: string }>('attached', number, partner, 'messages').map(([, message]) => message),
        ]),
    ])

/** Throws when this version cannot load the file. */
export function asSandboxState(content: StateTree | { older: unknown }): SandboxState {
  if (!(content instanceof StateTree)) return asWhole(content.older)
  return {
    version: WHOLE_VERSION,
    ports: content.value<Ports>('ports'),
    accounts: content.names('accounts').flatMap((number) => accountIn(content, number)),
    groups: content.entries<GroupState>('groups').map(([, group]) => group),
    attached: attachedIn(content),
  }
}

function asWhole(content: unknown): SandboxState {
  const version = (content as Partial<SandboxState> | null)?.version
  if (version !== WHOLE_VERSION) throw new Error(`sandbox state of version ${version}, expected ${WHOLE_VERSION}`)
  return content as SandboxState
}

/** Fills an empty directory; returns each phone's state. */
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
    for (const other of blocked.flatMap((it) => directory.byNumber(it) ?? [])) account?.setBlocked(other, true)
  }
  for (const { id, subject, creator, created, members } of state.groups) {
    const founder = directory.byNumber(creator)
    const present = members.flatMap((number) => directory.byNumber(number) ?? [])
    if (founder) directory.groups.set(id, { id, subject, creator: founder, created, members: new Set(present) })
  }
  return phones
}
