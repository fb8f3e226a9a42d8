const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

export const png = hex(
  '89504e47 0d0a1a0a 0000000d 49484452 00000001 00000001 08060000 001f15c4 89 0000000a 49444154 789c6300 01000005 0001 0d0a2db4 00000000 49454e44 ae426082',
)
export const jpeg = Buffer.concat([hex('ffd8ffe0 00104a46 49460001 01000001 00010000'), Buffer.alloc(64), hex('ffd9')])
export const webp = Buffer.concat([Buffer.from('RIFF'), hex('24000000'), Buffer.from('WEBPVP8 '), Buffer.alloc(32)])
export const mp4 = Buffer.concat([
  hex('00000018'),
  Buffer.from('ftypisom'),
  hex('00000200'),
  Buffer.from('isommp42'),
  Buffer.alloc(64),
])
export const opus = Buffer.concat([
  Buffer.from('OggS'),
  hex('0002'),
  Buffer.alloc(20),
  hex('0113'),
  Buffer.from('OpusHead'),
  Buffer.alloc(80),
])
export const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n', 'latin1')
export const exe = Buffer.concat([
  Buffer.from('MZ'),
  Buffer.alloc(58),
  hex('40000000'),
  Buffer.from('PE\0\0'),
  Buffer.alloc(64),
])
export const elf = Buffer.concat([hex('7f454c46 02010100'), Buffer.alloc(120)])
export const machO = Buffer.concat([hex('cffaedfe 07000001'), Buffer.alloc(120)])

const crcTable = Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value >>> 0
})
const crc32 = (data: Buffer) => {
  let crc = 0xffffffff
  for (const byte of data) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

export const zip = (files: Record<string, string>): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const [file, data] = [Buffer.from(name), Buffer.from(text)]
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt32LE(crc32(data), 10)
    about.writeUInt32LE(data.length, 14)
    about.writeUInt32LE(data.length, 18)
    about.writeUInt16LE(file.length, 22)
    const local = Buffer.concat([hex('504b0304'), about, file, data])
    const central = Buffer.concat([hex('504b0102 1400'), about, Buffer.alloc(14), file])
    central.writeUInt32LE(offset, 42)
    parts.push(local)
    directory.push(central)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

const officeNamespace = 'http://schemas.openxmlformats.org/package/2006/content-types'
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const docx = zip({
  '[Content_Types].xml': `<?xml version="1.0"?><Types xmlns="${officeNamespace}"><Override PartName="/word/document.xml" ContentType="${wordType}.main+xml"/></Types>`,
  'word/document.xml': '<document/>',
})

export const compoundFile = (names: readonly string[], rootClass = ''): Buffer => {
  const file = Buffer.alloc(512 * 4)
  hex('d0cf11e0a1b11ae1').copy(file)
  file.writeUInt16LE(9, 30)
  file.writeUInt32LE(1, 48)
  for (const [index, name] of ['Root Entry', ...names].entries()) {
    const at = 1024 + index * 128
    file.write(name, at, 'utf16le')
    file.writeUInt16LE((name.length + 1) * 2, at + 64)
  }
  hex(rootClass).copy(file, 1024 + 80)
  return file
}
