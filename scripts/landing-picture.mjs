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
const qualities = [0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5]

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

/** Runs in a page: browsers take no WebP of two pixels a point, but encode one. */
const encode = async ({ png, quality }) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
  const canvas = new OffscreenCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality })
  return [...new Uint8Array(await blob.arrayBuffer())]
}

/** The best quality within the limit. */
const picture = async (page) => {
  const png = (await page.screenshot({ animations: 'disabled' })).toString('base64')
  // A page of the product allows no fetch of data.
  const blank = await page.context().newPage()
  for (const quality of qualities) {
    const bytes = Buffer.from(await blank.evaluate(encode, { png, quality }))
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
