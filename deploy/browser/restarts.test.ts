import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Message } from '@prosa/contracts/http/live-chat'
import { cursorHeader } from '@prosa/contracts/http/problem'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { noteMeasurements } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { SandboxServer } from '@prosa/sandbox/server/server'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { productProcess } from '../test/product-process.ts'
import { type Reply, Visitor } from '../test/visitor.ts'
import { type Browser, noChromium, openChromium } from './chromium.ts'
import { signIn } from './sign-in.ts'

const root = join(import.meta.dirname, '../..')
const restarts = Number(process.env.PROSA_ROUNDS) || 50
const people = 10
const leaseMs = 3000
/** WhatsApp delivers more slowly than the test writes: limit of messages in transit. */
const maxOnTheirWay = 30
/** Without progress for this long, missing messages are lost. */
const stillMs = 90_000

const watchErrors = async (context: BrowserContext, onError: (words: string) => void) => {
  await context.exposeFunction('reportError', onError)
  await context.addInitScript(() => {
    const isError =
      /\berro\b|não enviada|não foi possível|tente (de novo|novamente)|falhou|indisponível|algo deu errado/i
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        for (const node of type === 'characterData' ? [target] : addedNodes)
          if (!/^(script|style|link)$/i.test(node.nodeName) && isError.test(node.textContent ?? ''))
            Reflect.get(globalThis, 'reportError')(`${node.textContent}`.slice(0, 300))
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

const writerIn = async (browser: Browser, url: string, network: SandboxServer, index: number) => {
  const window = await browser.another()
  const errors: string[] = []
  await watchErrors(window.context, (words) => errors.push(words))
  const attendant = await new Visitor(url).register()
  const shop = network.addPhone(`55119000000${10 + index}`, `Loja ${index}`)
  const customer = network.addPhone(`55119880000${10 + index}`, `Pessoa ${index}`)
  await attendant.link(shop)
  const arrived: string[] = []
  customer.on('message', ({ text }) => void arrived.push(text))
  await customer.sendText(`55119000000${10 + index}`, 'Oi')
  const contact = await until(async () => (await attendant.contacts('waiting'))[0])
  const page: Page = await window.context.newPage()
  await signIn(page, attendant)
  await page.goto(`${url}/live-chat?contato=${contact.id}`)
  const composer = page.getByPlaceholder(/^Digite uma mensagem/)
  await composer.waitFor()
  const written: string[] = []
  return {
    errors,
    faults: window.faults,
    arrived,
    written,
    /** Retries until the conversation loads: pushes during a restart are lost. */
    reload: () =>
      until(
        () =>
          page
            .reload({ waitUntil: 'commit' })
            .then(() => composer.waitFor({ timeout: 15_000 }))
            .then(
              () => true,
              () => false,
            ),
        240_000,
      ),
    async write() {
      const text = `${index}: ${written.length + 1}`
      await composer.fill(text)
      await composer.press('Enter')
      await until(async () => (await composer.inputValue()) === '')
      written.push(text)
    },
    async history() {
      const pages: string[][] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path = `/api/whatsapp/contacts/${contact.id}/messages`
        const page: Reply<Message[]> = await attendant.ask('GET', cursor ? `${path}?cursor=${cursor}` : path)
        pages.unshift(page.body.filter(({ sender }) => sender === 'user').map(({ content }) => content))
        cursor = page.headers.get(cursorHeader)
      }
      return pages.flat()
    },
    close: window.close,
  }
}

type Writer = Awaited<ReturnType<typeof writerIn>>

const placeOf = (text: string) => Number(text.split(': ')[1])
const countFalls = (texts: readonly string[]) =>
  texts.filter((text, index) => index > 0 && placeOf(text) < placeOf(texts[index - 1] ?? '')).length
const firsts = (texts: readonly string[]) => [...new Set(texts)]

const tallyOf = ({ written, arrived, errors, faults }: Writer) => ({
  errors: [...errors, ...faults],
  lost: written.filter((text) => !arrived.includes(text)),
  doubled: arrived.filter((text, index) => arrived.indexOf(text) !== index),
  outOfOrder: countFalls(firsts(arrived)),
})

describe.skipIf(noChromium)(`what is written while the server restarts${noChromium}`, { timeout: 3_600_000 }, () => {
  it(`waits, shows no error, and arrives once and in its order: browsers: ${people}, restarts: ${restarts}`, async () => {
    await promisify(execFile)(process.execPath, [join(root, 'scripts/builds/build-local.mjs')], { cwd: root })
    const database = await testPostgres()
    const network = new SandboxServer({ fewPreKeys: true })
    await network.start()
    const webFolder = join(root, 'web/dist/simulator')
    const product = await productProcess(database.url, network.url, { leaseMs, webFolder })
    const browser = await openChromium()
    try {
      const writers: Writer[] = []
      for (let index = 0; index < people; index++) writers.push(await writerIn(browser, product.url, network, index))

      let isWriting = true
      const reloads = new Set<Writer>()
      const works = writers.map(async (writer) => {
        while (isWriting) {
          if (reloads.delete(writer)) await writer.reload()
          await until(() => writer.written.length - writer.arrived.length < maxOnTheirWay, 240_000)
          await writer.write()
          await delay(300 + Math.random() * 2500)
        }
      })
      const arrivedAll = (counts: readonly number[]) =>
        writers.every(({ arrived }, index) => arrived.length > (counts[index] ?? 0))
      const writing = Promise.all(works)
      const untilArrived = (counts: readonly number[]) =>
        Promise.race([until(() => arrivedAll(counts), 240_000), writing])
      await untilArrived(writers.map(() => 0))
      const exits: (number | null)[] = []
      const awayMs: number[] = []
      for (let round = 0; round < restarts; round++) {
        await delay(Math.random() * 2000)
        const began = performance.now()
        if (round % 2 === 0) exits.push(await product.terminate())
        else await product.kill()
        await product.start()
        const writer = writers[round % people]
        if (writer && round % 3 === 2) reloads.add(writer)
        const counts = writers.map(({ arrived }) => arrived.length)
        await untilArrived(counts)
        awayMs.push(performance.now() - began)
        console.log(`${round + 1} of ${restarts}: ${Math.round(awayMs.at(-1) ?? 0)} ms`)
      }
      isWriting = false
      await writing

      let moved = { at: performance.now(), count: 0 }
      await until(() => {
        const count = writers.reduce((sum, { arrived }) => sum + arrived.length, 0)
        if (count !== moved.count) moved = { at: performance.now(), count }
        const isDone = writers.every(({ written, arrived }) => new Set(arrived).size === written.length)
        return isDone || performance.now() > moved.at + stillMs
      }, 900_000)

      const tallies = writers.map(tallyOf)
      const histories = await Promise.all(writers.map(({ history }) => history()))
      const sorted = awayMs.toSorted((one, other) => one - other)
      noteMeasurements('what is written in browsers while the server restarts', {
        restarts,
        browsers: people,
        written: writers.reduce((sum, { written }) => sum + written.length, 0),
        'errors shown': tallies.flatMap(({ errors }) => errors).length,
        lost: tallies.flatMap(({ lost }) => lost).length,
        doubled: tallies.flatMap(({ doubled }) => doubled).length,
        'out of order': tallies.reduce((sum, { outOfOrder }) => sum + outOfOrder, 0),
        'until everybody was heard again, p50 / max ms': `${Math.round(sorted[sorted.length >> 1] ?? 0)} / ${Math.round(sorted.at(-1) ?? 0)}`,
      })
      expect(tallies).toEqual(writers.map(() => ({ errors: [], lost: [], doubled: [], outOfOrder: 0 })))
      expect(histories).toEqual(writers.map(({ written }) => written))
      expect(new Set(exits)).toEqual(new Set([0]))
    } finally {
      await browser.close()
      await product.remove()
      await network.stop()
      await database.drop()
    }
  })
})
