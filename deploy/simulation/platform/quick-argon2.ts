import { createHash } from 'node:crypto'

/** The real one takes 20 ms in a thread that no seed controls. */
export const hash = async (password: string): Promise<string> =>
  `$simulated$${createHash('sha256').update(password).digest('hex')}`

export const verify = async (hashed: string, password: string): Promise<boolean> => hashed === (await hash(password))
