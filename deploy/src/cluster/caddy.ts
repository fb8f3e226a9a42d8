import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface Caddy {
  program: string
  version: string
  hasStreamCloseDelay: boolean
}

/** On the PATH, or at `CADDY`; undefined where there is none. */
export const installedCaddy = async (program = 'caddy'): Promise<Caddy | undefined> => {
  try {
    const { stdout } = await promisify(execFile)(program, ['version'])
    const version = stdout.trim().split(' ')[0]?.replace('v', '') ?? ''
    const [major = 0, minor = 0] = version.split('.').map(Number)
    return { program, version, hasStreamCloseDelay: major > 2 || (major === 2 && minor >= 7) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
