import { fileTypeFromBuffer } from 'file-type'

/** Returns fewer bytes at the end of the file. */
export type ReadBytes = (from: number, length: number) => Promise<Buffer>

/** {000C1084-0000-0000-C000-000000000046} as stored: an installer. */
const installer = Buffer.from('84100c0000000000c000000000000046', 'hex')
const entryBytes = 128
const otherCompound = 'application/x-cfb'

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
const compoundFileType = async (head: Buffer, read: ReadBytes): Promise<string> => {
  if (head.length < 512) return otherCompound
  const sectorBytes = head.readUInt16LE(30) === 12 ? 4096 : 512
  const directory = await read((head.readUInt32LE(48) + 1) * sectorBytes, sectorBytes)
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
    const entry = directory.subarray(at, at + entryBytes)
    if (at === 0 && entry.subarray(80, 96).equals(installer)) return 'application/x-msi'
    const found = documents[nameOf(entry)]
    if (found) return found
  }
  return otherCompound
}

export const headBytes = 256 * 1024
export const binary = 'application/octet-stream'

const markup = (text: string): string | undefined => {
  if (/<svg[\s>]/i.test(text)) return 'image/svg+xml'
  if (/^\s*(<!--[\s\S]*?-->\s*)?<(!doctype html|html|head|body|script|iframe)[\s>]/i.test(text)) return 'text/html'
  return undefined
}

/** A table has the same number of separators in each line; sentences contain commas too. */
const isTable = (text: string): boolean => {
  const lines = text.split(/\r?\n/).slice(0, 10)
  return [
    { separator: ';', fewest: 1 },
    { separator: '\t', fewest: 1 },
    { separator: ',', fewest: 2 },
  ].some(({ separator, fewest }) => {
    // The last line may be cut, or empty.
    const counts = lines.slice(0, -1).map((line) => line.split(separator).length - 1)
    return counts.length > 1 && (counts[0] ?? 0) >= fewest && counts.every((count) => count === counts[0])
  })
}

const textType = (head: Buffer): string | undefined => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what distinguishes binary data
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString('latin1'))) return undefined
  const text = head.toString()
  return markup(text) ?? (isTable(text) ? 'text/csv' : 'text/plain')
}

const detected = async (head: Buffer): Promise<string | undefined> => {
  try {
    return (await fileTypeFromBuffer(head))?.mime
  } catch {
    // Begins like a known type, but is malformed or malicious.
    return undefined
  }
}

/** By content, without parameters, e.g. `audio/ogg`; `application/octet-stream` when unknown. */
export const findMediaType = async (read: ReadBytes): Promise<string> => {
  const head = await read(0, headBytes)
  const found = (await detected(head))?.split(';')[0]
  if (found === undefined) return textType(head) ?? binary
  if (found === 'application/xml') return markup(head.toString()) ?? found
  if (found === 'application/x-cfb') return compoundFileType(head, read)
  return found
}

/** Android packages are allowed as documents, as in WhatsApp. */
const programs = new Set([
  'application/x-msdownload',
  'application/x-elf',
  'application/x-mach-binary',
  'application/x-msi',
  'application/x.ms.shortcut',
  'application/x.apple.alias',
  'application/java-archive',
  'application/java-vm',
])

export const isProgram = (mediaType: string): boolean => programs.has(mediaType)
