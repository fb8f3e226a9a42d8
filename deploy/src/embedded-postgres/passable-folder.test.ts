import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { letEverybodyRead, makePassable } from './passable-folder.ts'

describe.skipIf(process.getuid?.() !== 0)(
  'a folder that root makes for PostgreSQL, whatever root’s umask (needs root)',
  () => {
    let folder: string
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'prosa-passable-'))
      const before = process.umask(0o077)
      onTestFinished(async () => {
        process.umask(before)
        await rm(folder, { recursive: true, force: true })
      })
    })
    const modeOf = async (...path: string[]) => ((await stat(join(folder, ...path))).mode & 0o777).toString(8)

    it('can be passed through, with those above it that were not there', async () => {
      await makePassable(join(folder, 'a', 'b'), 0o711)
      expect([await modeOf('a'), await modeOf('a', 'b'), await modeOf()]).toEqual(['711', '711', '700'])
    })

    it('stays as closed as somebody made it', async () => {
      await mkdir(join(folder, 'closed'))
      await makePassable(join(folder, 'closed'), 0o755)
      expect(await modeOf('closed')).toBe('700')
    })

    it('can be read with everything in it, and run where its owner may run it', async () => {
      await mkdir(join(folder, 'native', 'bin'), { recursive: true })
      await writeFile(join(folder, 'native', 'bin', 'postgres'), '')
      await writeFile(join(folder, 'native', 'words'), '')
      await chmod(join(folder, 'native', 'bin', 'postgres'), 0o700)
      await letEverybodyRead(join(folder, 'native'))
      expect([await modeOf('native'), await modeOf('native', 'bin')]).toEqual(['755', '755'])
      expect([await modeOf('native', 'bin', 'postgres'), await modeOf('native', 'words')]).toEqual(['755', '644'])
    })
  },
)
