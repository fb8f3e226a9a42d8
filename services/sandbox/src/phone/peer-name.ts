import type { Device } from '../server/directory.ts'

/** The one name of a device in Signal sessions, `number.device`, whichever way stanzas address it. */
export const peerName = (device: Device) => `${device.account.number}.${device.id}`
