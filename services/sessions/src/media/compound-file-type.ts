import type { ReadBytes } from './read-bytes.ts'

/** {000C1084-0000-0000-C000-000000000046} as stored: an installer. */
const installer = Buffer.from('84100c0000000000c000000000000046', 'hex')
const entryBytes = 128
const nothing = 'application/x-cfb'

const documents: Record<string, string> = {
  WordDocument: 'application/msword',
  Workbook: 'application/vnd.ms-excel',
  Book: 'application/vnd.ms-excel',
  'PowerPoint Document': 'application/vnd.ms-powerpoint',
}

/** The name's length in bytes, with its closing zero, follows it. */
const nameOf = (entry: Buffer): string =>
  entry.toString('utf16le', 0, Math.max(0, Math.min(62, entry.readUInt16LE(64) - 2)))

/** By the first sector of its directory ([MS-CFB] 2.2, 2.6). */
export const compoundFileType = async (head: Buffer, read: ReadBytes): Promise<string> => {
  if (head.length < 512) return nothing
  const sectorBytes = head.readUInt16LE(30) === 12 ? 4096 : 512
  const directory = await read((head.readUInt32LE(48) + 1) * sectorBytes, sectorBytes)
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
    const entry = directory.subarray(at, at + entryBytes)
    if (at === 0 && entry.subarray(80, 96).equals(installer)) return 'application/x-msi'
    const found = documents[nameOf(entry)]
    if (found) return found
  }
  return nothing
}
