import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diskFileStore } from './disk.ts'
import { fileStoreContract } from './file-store.contract.ts'
import { FilesUnavailable } from './port.ts'

const mayMount = () => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const noDisk = mayMount() ? '' : ' (skipped: only root may mount a small disk)'

const temporary = () => mkdtemp(join(tmpdir(), 'prosa-files-'))

fileStoreContract('a folder', async () => {
  const folder = await temporary()
  return { store: diskFileStore(join(folder, 'made', 'when-needed')), close: () => rm(folder, { recursive: true }) }
})

describe('a folder of files', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporary()
  })
  afterEach(() => rm(folder, { recursive: true }))
  const filesIn = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile())
  }

  it('is not touched before something is stored in it', async () => {
    const store = diskFileStore(join(folder, 'later'))
    await expect(store.get('a/b')).rejects.toThrow()
    await store.deleteAll('a/')
    expect(await readdir(folder)).toEqual([])
  })

  it('holds nothing half done once storing failed', async () => {
    const store = diskFileStore(folder)
    const breaking = Readable.from(
      (function* () {
        yield Buffer.alloc(300_000)
        throw new Error('broken off')
      })(),
    )
    await expect(store.put('a/b', breaking, 1e6)).rejects.toThrow('broken off')
    await expect(store.put('a/b', Readable.from([Buffer.alloc(10)]), 9)).rejects.toThrow()
    expect(await filesIn()).toEqual([])
  })

  it.skipIf(noDisk)(`reports that the disk is full, keeps what was there, and goes on with room${noDisk}`, async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
    try {
      const store = diskFileStore(folder)
      await store.put('a/b', Readable.from([Buffer.alloc(150_000, 'before')]), 1e6)
      for (const name of ['a/b', 'a/c'])
        await expect(store.put(name, Readable.from([Buffer.alloc(200_000)]), 1e6)).rejects.toThrow(FilesUnavailable)
      expect((await filesIn()).map(({ name }) => name)).toEqual(['b'])
      expect((await buffer((await store.get('a/b')).content)).equals(Buffer.alloc(150_000, 'before'))).toBe(true)
      await store.deleteAll('a/')
      expect(await store.put('a/c', Readable.from([Buffer.alloc(200_000)]), 1e6)).toMatchObject({ bytes: 200_000 })
    } finally {
      execFileSync('umount', ['--lazy', folder])
    }
  })

  it('is cleared of what a killed process left behind, a day later', async () => {
    const incoming = join(folder, '.incoming')
    await mkdir(incoming)
    const yesterday = new Date(Date.now() - 25 * 3600 * 1000)
    for (const name of ['old', 'new']) await writeFile(join(incoming, name), 'half')
    await utimes(join(incoming, 'old'), yesterday, yesterday)
    await diskFileStore(folder).put('a/b', Readable.from([]), 100)
    expect(await readdir(incoming)).toEqual(['new'])
  })
})
