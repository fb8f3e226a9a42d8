import type { Addressing } from '../server/directory.ts'

export interface SendOptions {
  id?: string
  addressing?: Addressing
  type?: 'text' | 'media' | 'reaction'
  /** What the message does to an earlier one: `1` edits it, `7` takes it back. */
  edit?: '1' | '7'
  /** When it was written by the phone's clock, in milliseconds since 1970; without it, now. */
  at?: number
}
