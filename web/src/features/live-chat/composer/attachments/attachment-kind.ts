import { mediaLimits } from '@prosa/contracts/values/media-limits'
import { fileSize } from '../../file-size.ts'

export type AttachmentKind = 'image' | 'video' | 'audio' | 'document'

interface FileFacts {
  name: string
  type: string
  size: number
}

const kinds = ['image', 'video', 'audio'] as const
const programs = /\.(exe|msi|bat|cmd|com|scr|pif|ps1|vbs|wsf|hta|cpl|dll|apk|jar)$/i

const typeOf = (type: string) => type.split(';')[0]?.trim().toLowerCase() ?? ''

const isOf = (kind: (typeof kinds)[number], { type }: FileFacts): boolean =>
  mediaLimits[kind].types.some((known) => known === typeOf(type))

/** Best first. Large pictures pass: they are shrunk before sending. */
export const kindsOf = (file: FileFacts): AttachmentKind[] => {
  const shown = kinds.filter((kind) => isOf(kind, file) && (kind === 'image' || file.size <= mediaLimits[kind].bytes))
  return [...shown, 'document']
}

/** Null when it can be sent. */
export const refusalOf = (file: FileFacts, kind: AttachmentKind): string | null => {
  if (file.size === 0) return 'O arquivo está vazio.'
  if (programs.test(file.name)) return 'Programas não podem ser enviados.'
  const { bytes } = mediaLimits[kind]
  if (kind === 'image' || file.size <= bytes) return null
  return `O arquivo tem ${fileSize(file.size)} e o limite do WhatsApp é ${fileSize(bytes)}.`
}
