import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export const redisProgram = 'redis-server'

export const hasRedis = async (): Promise<boolean> => {
  try {
    await promisify(execFile)(redisProgram, ['--version'])
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
