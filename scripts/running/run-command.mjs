import { spawn } from 'node:child_process'
import { root } from '../root.mjs'
import { endOfLife } from './end-of-life.mjs'

/** `show` sends the output to the terminal. Ends with our process, or after `maxMs`. */
export const runCommand = (
  args,
  { program = process.execPath, cwd = root, show = false, env = {}, shell = false, maxMs } = {},
) =>
  new Promise((resolve, reject) => {
    const output = show ? 'inherit' : 'pipe'
    const child = spawn(program, args, {
      cwd,
      shell,
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk) => {
        printed += chunk
      })
    const end = () => child.kill('SIGTERM')
    const timer = maxMs && setTimeout(end, maxMs)
    if (endOfLife.aborted) end()
    else endOfLife.addEventListener('abort', end, { once: true })
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      endOfLife.removeEventListener('abort', end)
      resolve({ code: code ?? 1, output: printed })
    })
  })
