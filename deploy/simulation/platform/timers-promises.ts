import { clearTimeout, setImmediate as later, setTimeout as laterBy } from './globals.ts'

interface Options {
  signal?: AbortSignal
}

const aborted = (signal: AbortSignal) =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  })

const wait = <T>(begin: (done: () => void) => unknown, value: T, { signal }: Options): Promise<T> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal))
    const handle = begin(() => {
      signal?.removeEventListener('abort', end)
      resolve(value)
    })
    const end = () => {
      clearTimeout(handle)
      if (signal) reject(aborted(signal))
    }
    signal?.addEventListener('abort', end, { once: true })
  })

export const setTimeout = <T>(ms: number, value: T, options: Options = {}): Promise<T> =>
  wait((done) => laterBy(done, ms), value, options)

export const setImmediate = <T>(value: T, options: Options = {}): Promise<T> =>
  wait((done) => later(done), value, options)
