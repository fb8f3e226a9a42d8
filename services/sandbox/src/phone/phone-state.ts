import type { GroupState } from './groups.ts'
import type { SenderState } from './sender.ts'
import type { SignalState } from './signal-device.ts'

/** What a phone keeps over a restart of the server's process, as JSON. */
export interface PhoneState {
  online: boolean
  signal: SignalState
  groups: GroupState
  sent: SenderState
  received: string[]
}
