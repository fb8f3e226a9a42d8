import { createHash } from 'node:crypto'
import { examplePicture } from '@prosa/sandbox/demo/example-picture'

const drawn = examplePicture(0)

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A PNG of a few kilobytes for this caption alone: what follows its end tells it from all others. */
export const pictureOf = (caption: string): Buffer =>
  Buffer.concat([drawn, createHash('sha256').update(caption).digest()])
