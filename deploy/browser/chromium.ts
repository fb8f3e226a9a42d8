import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

export const noChromium = existsSync(executablePath)
  ? ''
  : ' (skipped: Chromium is not installed, set CHROMIUM to its path)'

const offline = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  // A page lives for seconds: optimizing its script does not pay.
  '--js-flags=--no-opt --no-maglev',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
]

export interface WindowOptions {
  phone?: boolean
}

export interface Browser {
  context: BrowserContext
  /** Violations of the content security policy and unhandled errors. */
  faults: string[]
  /** A window with its own storage in the same Chromium. */
  another(options?: WindowOptions): Promise<Browser>
  close(): Promise<void>
}

const windowOf = ({ phone = false }: WindowOptions) => ({
  viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
  hasTouch: phone,
  isMobile: phone,
  locale: 'pt-BR',
  timezoneId: 'America/Sao_Paulo',
  reducedMotion: 'reduce' as const,
})

const prepare = async (context: BrowserContext): Promise<string[]> => {
  context.setDefaultTimeout(30_000)
  await context.grantPermissions(['microphone'])
  const faults: string[] = []
  await context.exposeFunction('reportViolation', (violation: string) => faults.push(violation))
  await context.addInitScript(() => {
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
        const report = Reflect.get(globalThis, 'reportViolation')
        report(`${location.pathname}: ${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`)
      },
    )
  })
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text())
  })
  context.on('weberror', (error) => faults.push(String(error.error())))
  return faults
}

/** An empty profile; no access to other hosts. */
export const openChromium = async (): Promise<Browser> => {
  const profile = await mkdtemp(join(tmpdir(), 'prosa-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: offline,
    ...windowOf({}),
  })
  const another = async (options: WindowOptions = {}): Promise<Browser> => {
    const window = await context.browser()?.newContext(windowOf(options))
    if (!window) throw new Error('this Chromium opens no other window')
    return { context: window, faults: await prepare(window), another, close: () => window.close() }
  }
  return {
    context,
    faults: await prepare(context),
    another,
    async close() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}
