import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { buffer, text } from 'node:stream/consumers'
import { decoderProgram } from './decoder-program.ts'

const timeoutMs = 20_000
/** It needs some 10; the picture itself is no JavaScript. */
const heapMegabytes = 64

/**
 * The library reserves memory for each thread, and keeps what hostile pictures made it take: with one it is less. Nothing else of the
 * environment is there for a picture that gets the better of the decoder.
 */
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

/** It was no picture that can be decoded, or took too much of time or memory. */
export class PictureBroken extends Error {}

/**
 * WebP squares of these sizes, out of the middle of a JPEG, PNG or GIF, in a process of its own: its memory goes back to the system,
 * and what crashes or occupies the decoder ends only that. Throws `PictureBroken`.
 */
export const decodePicture = async (bytes: Buffer, maxPixels: number, sizes: readonly number[]): Promise<Buffer[]> => {
  const sharp = createRequire(import.meta.url).resolve('sharp')
  const flags = [`--max-old-space-size=${heapMegabytes}`, '--eval', decoderProgram, '--']
  const child = spawn(process.execPath, [...flags, sharp, String(maxPixels), ...sizes.map(String)], {
    env: environment(),
    stdio: 'pipe',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  // A process that ends early reads nothing more: its exit says what is the matter.
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
