import { createHash } from 'node:crypto'

/** A message id as WhatsApp's own clients make them (`3EB0` and 18 hexadecimal digits), the same for the same command. */
export const messageIdOf = (commandId: string) =>
  `3EB0${createHash('sha256').update(commandId).digest('hex').slice(0, 18).toUpperCase()}`
