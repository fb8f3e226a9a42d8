import { theWorld } from './world.ts'

export const randomBytes = (size: number): Buffer => {
  const { randomOfIds } = theWorld()
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at++) bytes[at] = Math.floor(randomOfIds() * 256)
  return bytes
}

export const randomUUID = (): string => {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export const randomInt = (from: number, afterLast?: number): number => {
  const [first, end] = afterLast === undefined ? [0, from] : [from, afterLast]
  return first + Math.floor(theWorld().randomOfIds() * (end - first))
}
