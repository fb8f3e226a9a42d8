import type { Writing } from '../../outbox/outgoing.ts'
import type { AttachmentKind } from './attachment-kind.ts'
import type { FileDescription } from './describe-file.ts'

export interface Attachment {
  id: string
  file: File
  /** Object URL. */
  address: string
  kind: AttachmentKind
  kinds: AttachmentKind[]
  /** Null without a caption of its own. */
  caption: string | null
  refusal: string | null
  /** Undefined while unknown, null when unreadable. */
  described: FileDescription | null | undefined
  /** Set once sent, until prepared: the quoted message, and messages queued behind it. */
  leaving: { quoted: Writing['quoted']; after: Writing[] } | null
}

export type GoingAttachment = Attachment & { caption: string }
