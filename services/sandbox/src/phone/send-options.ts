import type { Addressing } from '../server/directory.ts'

export interface SendOptions {
  id?: string
  addressing?: Addressing
  type?: 'text' | 'media' | 'reaction'
  /** `1` edits, `7` deletes. */
  edit?: '1' | '7'
  /** Milliseconds since 1970; default now. */
  at?: number
}
