import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { buffer, text } from 'node:stream/consumers'
import { decoderProgram } from './decoder-program.ts'

const timeoutMs = 20_000
/** Needs 10; pictures are outside the heap. */
const heapMegabytes = 64

/** One thread limits memory. A compromised decoder sees no other environment. */
const environment = (): NodeJS.ProcessEnv => {
  const { LD_LIBRARY_PATH, SystemRoot } = process.env
  return {
    MALLOC_ARENA_MAX: '1',
    UV_THREADPOOL_SIZE: '1',
    ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }),
    ...(SystemRoot && { SystemRoot }),
  }
}

const partsOf = (output: Buffer): Buffer[] => {
  const parts: Buffer[] = []
  for (let at = 0; at + 4 <= output.length; ) {
    const end = at + 4 + output.readUInt32BE(at)
    parts.push(output.subarray(at + 4, end))
    at = end
  }
  return parts
}

/** Not decodable, or exceeded time or memory. */
export class PictureBroken extends Error {}

/** Centered WebP squares from JPEG, PNG or GIF, in a process that contains crashes and returns memory. Throws `PictureBroken`. */
export const decodePicture = async (bytes: Buffer, maxPixels: number, sizes: readonly number[]): Promise<Buffer[]> => {
  const sharp = createRequire(import.meta.url).resolve('sharp')
  const flags = [`--max-old-space-size=${heapMegabytes}`, '--eval', decoderProgram, '--']
  const child = spawn(process.execPath, [...flags, sharp, String(maxPixels), ...sizes.map(String)], {
    env: environment(),
    stdio: 'pipe',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  // The exit code explains an early end.
  child.stdin.on('error', () => undefined)
  child.stdin.end(bytes)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [output, trouble, code] = await Promise.all([buffer(child.stdout), text(child.stderr), ended])
  const squares = partsOf(output)
  if (code !== 0 || squares.length !== sizes.length)
    throw new PictureBroken(`the decoder ended with ${code}: ${trouble.slice(0, 500)}`)
  return squares
}
