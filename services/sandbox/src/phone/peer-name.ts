import type { Device } from '../server/directory.ts'

/** One name of a device in Signal sessions, `number.device`, however stanzas address it. */
export const peerName = (device: Device) => `${device.account.number}.${device.id}`
