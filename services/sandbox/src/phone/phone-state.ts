import type { GroupState } from './groups.ts'
import type { SenderState } from './sender.ts'
import type { SignalState } from './signal-device.ts'

export interface PhoneState {
  online: boolean
  signal: SignalState
  groups: GroupState
  sent: SenderState
  received: string[]
}
