import { spawn } from 'node:child_process'
import { root } from '../root.mjs'
import { endOfLife } from './end-of-life.mjs'

const endWithLauncher = new URL('./end-with-launcher.mjs', import.meta.url).href
const timeoutMs = 20_000

/**
 * SIGTERM at our end or when `signal` aborts; SIGKILL 20 s later or on a second interrupt. If we are killed, the closed IPC channel ends
 * the child.
 */
export const runChild = (args, signal = new AbortController().signal) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', endWithLauncher, ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Own process group: Ctrl-C must not reach it twice.
      detached: process.platform !== 'win32',
    })
    const stop = AbortSignal.any([endOfLife, signal])
    let killer
    const kill = () => child.kill('SIGKILL')
    const end = () => {
      child.kill('SIGTERM')
      killer = setTimeout(kill, timeoutMs)
      process.on('SIGINT', kill)
    }
    if (stop.aborted) end()
    else stop.addEventListener('abort', end, { once: true })
    const forget = () => {
      clearTimeout(killer)
      stop.removeEventListener('abort', end)
      process.off('SIGINT', kill)
    }
    child.once('error', (error) => {
      forget()
      reject(error)
    })
    child.once('exit', (code) => {
      forget()
      resolve(code ?? (stop.aborted ? 0 : 1))
    })
  })
