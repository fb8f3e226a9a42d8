import type { Random } from './random.ts'
import { theWorld } from './world.ts'

const bytesBy = (random: Random, size: number): Buffer => {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at++) bytes[at] = Math.floor(random() * 256)
  return bytes
}

/** Apart from ids: modules cache drawn bytes across runs. */
export const randomBytes = (size: number): Buffer => bytesBy(theWorld().randomOfKeys, size)

export const randomUUID = (): string => {
  const bytes = bytesBy(theWorld().randomOfIds, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export const randomInt = (from: number, afterLast?: number): number => {
  const [first, end] = afterLast === undefined ? [0, from] : [from, afterLast]
  return first + Math.floor(theWorld().randomOfIds() * (end - first))
}
