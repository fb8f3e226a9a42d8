import type { Writing } from '../../outbox/outgoing.ts'
import type { AttachmentKind } from './attachment-kind.ts'
import type { FileDescription } from './describe-file.ts'

/** A file that is attached to a conversation and not sent yet. */
export interface Attachment {
  id: string
  file: File
  /** Where this browser shows the file. */
  address: string
  kind: AttachmentKind
  /** What it may go as. */
  kinds: AttachmentKind[]
  /** Null as long as it has no words of its own. */
  caption: string | null
  /** Why it cannot be sent, in a sentence. */
  refusal: string | null
  /** How the file looks; undefined until that is known, null when it cannot be. */
  described: FileDescription | null | undefined
  /** Once it was sent, while it is prepared: what it answers, and what was written after it and waits for it. */
  leaving: { quoted: Writing['quoted']; after: Writing[] } | null
}

export type GoingAttachment = Attachment & { caption: string }
