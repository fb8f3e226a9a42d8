import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports, which may be taken meanwhile. */
const first = 20_000
const afterLast = 32_000
const attempts = 50

export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(first, afterLast)
    if (await isFree(port)) return port
  }
  throw new Error(`${attempts} ports between ${first} and ${afterLast} are taken`)
}

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && unusable.has(error.code)) return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}

const unusable = new Set<unknown>(['EADDRINUSE', 'EACCES'])
