import { createHash } from 'node:crypto'

/** Same form as WhatsApp's clients (`3EB0` and 18 hexadecimal digits); the same for the same command. */
export const messageIdOf = (commandId: string) =>
  `3EB0${createHash('sha256').update(commandId).digest('hex').slice(0, 18).toUpperCase()}`
