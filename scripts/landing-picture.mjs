import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { buildLocal } from './builds/builds.mjs'
import { productFlags } from './product-flags.mjs'
import { inRoot } from './root.mjs'
import { command } from './running/command.mjs'
import { runChild } from './running/run-child.mjs'
import { runCommand } from './running/run-command.mjs'
import { withMutex } from './running/setup-mutex.mjs'
import { temporaryFolder } from './running/temporary-folder.mjs'
import { setup } from './setup.mjs'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** `web/test/production-build.test.ts` holds it. */
const maxBytes = 90_000
const qualities = [90, 85, 80, 75, 70, 65, 60, 55, 50]

const account = { firstName: 'Marina', lastName: 'Alves', password: 'pao-quentinho-de-manha' }
const shown = { person: 'Carla (Escola Girassol)', last: 'Pode! Faço o Pix hoje à tarde' }

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

const isReady = async (url) => {
  try {
    return (await fetch(`${url}/health/ready`)).ok
  } catch {
    // Not listening yet.
    return false
  }
}

const fillWithSamples = async (url) => {
  for (let waited = 0; !(await isReady(url)); waited++) {
    if (waited === 120) throw new Error('Prosa did not become ready in two minutes.')
    await delay(1000)
  }
  const { version } = await (await fetch(`${url}/api/terms`)).json()
  const email = `padaria-${randomUUID()}@example.com`
  const registered = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...account, email, acceptedTerms: version }),
  })
  if (!registered.ok) throw new Error(`The account was not created: ${await registered.text()}`)
  const program = ['--import', 'tsx', 'services/sandbox/src/demo/main.ts', '--url', url]
  const { code } = await runCommand([...program, '--email', email, '--password', account.password], { show: true })
  if (code !== 0) throw new Error('The samples were not filled in.')
  return email
}

/** Live chat as a browser shows it: an attended conversation open, who waits counted. */
const openLiveChat = async (page, url, email) => {
  await page.goto(`${url}/live-chat?fila=atendendo`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.getByRole('option', { name: shown.person }).click()
  await page.getByRole('log').getByText(shown.last).waitFor()
  await page.getByText('Login realizado com sucesso.').waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
}

/** The best quality within the limit. */
const picture = async (page) => {
  const session = await page.context().newCDPSession(page)
  for (const quality of qualities) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const bytes = Buffer.from(data, 'base64')
    if (bytes.byteLength <= maxBytes) return { bytes, quality }
  }
  throw new Error(`No picture has at most ${maxBytes} bytes.`)
}

const takePictures = async (url, email) => {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({
        ...{ colorScheme, viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 },
        ...{ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', reducedMotion: 'reduce' },
      })
      const page = await context.newPage()
      await openLiveChat(page, url, email)
      const { bytes, quality } = await picture(page)
      const path = `web/public/landing/live-chat-${colorScheme}.webp`
      await writeFile(inRoot(path), bytes)
      console.log(`${path}: ${bytes.byteLength} bytes, quality ${quality}`)
      if (colorScheme === 'light')
        await page.screenshot({ path: inRoot('docs/pictures/live-chat.png'), scale: 'css', animations: 'disabled' })
      await context.close()
    }
  } finally {
    await browser.close()
  }
}

/** `npm run landing-picture`: photographs the product, filled with its samples, for the landing page, the help and the README. */
await command(async () => {
  await setup()
  await withMutex(buildLocal)
  const folder = temporaryFolder()
  const [port, done] = [await freePort(), new AbortController()]
  process.env.PROSA_PORT = String(port)
  process.env.PROSA_DATA_DIR = folder.path
  const product = runChild([...productFlags, 'deploy/dist/local.js'], done.signal)
  const url = `http://localhost:${port}`
  try {
    await takePictures(url, await fillWithSamples(url))
  } finally {
    done.abort()
    await product
    folder.remove()
  }
})
