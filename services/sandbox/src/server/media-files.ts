import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface MediaFiles {
  /** Resolves once durable. */
  put(name: string, file: Buffer): Promise<void>
  get(name: string): Promise<Buffer | undefined>
}

export function mediaInMemory(): MediaFiles {
  const files = new Map<string, Buffer>()
  return {
    put: async (name, file) => void files.set(name, file),
    get: async (name) => files.get(name),
  }
}

const NAME = /^[0-9a-f]+$/

export function mediaInFolder(folder: string): MediaFiles {
  return {
    async put(name, file) {
      const path = join(folder, name)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${path}.new`, file, { mode: 0o600 })
      await rename(`${path}.new`, path)
    },
    async get(name) {
      if (!NAME.test(name)) return undefined
      return readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
    },
  }
}
