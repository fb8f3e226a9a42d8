import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '@prosa/kernel/free-port'
import { until } from '@prosa/kernel/testing/until'

/** Sources of an earlier commit with packages. */
export interface Checkout {
  folder: string
  commit: string
}

const finished = async (child: ChildProcess, what: string): Promise<void> => {
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${what} ended with ${code}`)
}

/** Not a git work tree, which the repository would record. */
export const checkOut = async (root: string, revision: string, folder: string): Promise<Checkout> => {
  const asking = spawn('git', ['rev-parse', '--short=7', `${revision}^{commit}`], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [commit] = await Promise.all([text(asking.stdout), finished(asking, 'git rev-parse')])
  await mkdir(folder, { recursive: true })
  const archive = spawn('git', ['archive', commit.trim()], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const unpack = spawn('tar', ['x', '-C', folder], { stdio: ['pipe', 'inherit', 'inherit'] })
  archive.stdout.pipe(unpack.stdin)
  await Promise.all([finished(archive, 'git archive'), finished(unpack, 'tar')])
  if (!(await readdir(folder)).includes('node_modules'))
    await finished(
      spawn('npm', ['ci', '--include=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {
        cwd: folder,
        stdio: 'inherit',
      }),
      'npm ci',
    )
  await makeEmptyWebApp(folder)
  return { folder, commit: commit.trim() }
}

/** Its screens are not needed, and building them takes minutes. */
const makeEmptyWebApp = async (folder: string): Promise<void> => {
  const [app, landing] = ['simulator', 'landing'].map((name) => join(folder, 'web/dist', name))
  if (!app || !landing) throw new Error('two names make two folders')
  await mkdir(join(app, 'assets'), { recursive: true })
  await mkdir(landing, { recursive: true })
  await writeFile(join(app, 'index.html'), '<!doctype html>')
  await writeFile(join(app, 'assets/inter-latin-wght-normal-none.woff2'), '')
  await writeFile(join(landing, 'landing.css'), '')
  const rendering = ['isAppPath = () => true', "landingStyle = () => ''", "renderLanding = () => ''"]
  await writeFile(join(landing, 'landing.mjs'), rendering.map((each) => `export const ${each}\n`).join(''))
}

const shiftedClock = (ms: number) => `
const Real = Date
globalThis.Date = class Date extends Real {
  constructor(...given) { given.length === 0 ? super(Real.now() - ${ms}) : super(...given) }
  static now() { return Real.now() - ${ms} }
}
`

export interface RunningRelease {
  url: string
  stop(): Promise<void>
}

/** `agoMs` sets the clock back. */
export const startRelease = async (
  { folder }: Checkout,
  env: Record<string, string>,
  agoMs = 0,
): Promise<RunningRelease> => {
  const port = await freePort()
  const preload = join(folder, 'shifted-clock.mjs')
  await writeFile(preload, shiftedClock(agoMs))
  const child = spawn(process.execPath, ['--import', preload, '--import', 'tsx', 'deploy/src/local.ts'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, PROSA_PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const isLive = async () => {
    if (child.exitCode !== null) throw new Error(`the release ended with ${child.exitCode}`)
    return fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  await until(isLive, 120_000)
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
