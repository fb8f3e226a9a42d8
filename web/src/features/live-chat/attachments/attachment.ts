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
  caption: string
  /** Why it cannot be sent, in a sentence. */
  refusal: string | null
  /** Settled once it is known how the file looks; never rejects. */
  description: Promise<FileDescription | null>
  width: number | null
  height: number | null
}
