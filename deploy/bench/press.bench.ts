import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openPool } from '@prosa/kernel/postgres/pool'
import { until } from '@prosa/kernel/testing/until'
import { chromium, type Page } from 'playwright-core'
import { signIn } from '../browser/sign-in.ts'
import { addPhone } from '../browser/simulated-phone.ts'
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { startProduct } from '../test/product.ts'
import { quantile } from './measure.ts'
import { contactIdOf, storeHistory } from './reading-log.ts'

/**
 * Interaction to next paint in live chat by Chromium's Event Timing (steps of 8 ms, from 16 ms): as opened, with the whole list, with a
 * long chat scrolled through. `times`: until the frame after the press is painted, beside the same of a bare page in this run. Arguments:
 * contacts, messages, rounds, a regular expression of presses.
 */
const contacts = Number(process.argv[2] ?? 10_000)
const messages = Number(process.argv[3] ?? 50_000)
const rounds = Number(process.argv[4] ?? 10)
const wanted = new RegExp(process.argv[5] ?? '')
const limitMs = 100

const root = join(import.meta.dirname, '../..')
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

const textOf = (message: number) =>
  `Recado ${message}. ${'Dois quilos de pão francês e um bolo de fubá. '.repeat(message % 7 === 0 ? 6 : message % 3)}`

const watchPresses = () => {
  const presses: { name: string; startTime: number; duration: number; processing: number }[] = []
  Object.assign(globalThis, { presses })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { name, startTime, duration, processingStart, processingEnd } = entry as PerformanceEventTiming
      presses.push({ name, startTime, duration, processing: processingEnd - processingStart })
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  const paints: number[] = []
  Object.assign(globalThis, { paints })
  // Without inner functions that have a name, which tsx would wrap in what the page lacks.
  for (const type of ['click', 'keydown'])
    addEventListener(
      type,
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => void paints.push(performance.now() - timeStamp)
          port2.postMessage(null)
        }),
      { capture: true },
    )
}

interface Press {
  name: string
  before: () => Promise<unknown>
  press: () => Promise<unknown>
}

const calm = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 150)))),
  )

interface Measured {
  /** By Event Timing; 0: less than 16. */
  events: number[]
  paints: number[]
}

const measurePress = async (page: Page, { before, press }: Press): Promise<Measured> => {
  const measured: Measured = { events: [], paints: [] }
  for (let round = 0; round < rounds; round++) {
    await before()
    await calm(page)
    const began = await page.evaluate(() => {
      Reflect.get(globalThis, 'paints').length = 0
      return performance.now()
    })
    await press()
    await calm(page)
    const { presses, paints }: { presses: { name: string; startTime: number; duration: number }[]; paints: number[] } =
      await page.evaluate(() => ({
        presses: Reflect.get(globalThis, 'presses').splice(0),
        paints: Reflect.get(globalThis, 'paints').splice(0),
      }))
    const ofPress = presses
      .filter(({ startTime }) => startTime >= began)
      .filter(({ name }) => /^(key|pointer(down|up)|click|mouse(down|up)|(before)?input)/.test(name))
    measured.events.push(Math.max(0, ...ofPress.map(({ duration }) => duration)))
    measured.paints.push(Math.max(...paints))
  }
  return measured
}

/** A button that replaces twenty rows, without any library. */
const measureBarePage = async (): Promise<number> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(watchPresses)
  await page.goto(`${product.url}/api/docs`)
  await page.evaluate(() => {
    document.body.innerHTML = '<button>Press</button><ul></ul>'
    let presses = 0
    document.querySelector('button')?.addEventListener('click', () => {
      presses++
      const rows = Array.from({ length: 20 }, (_, index) => `<li>Row ${index} of press ${presses}</li>`)
      for (const list of document.querySelectorAll('ul')) list.innerHTML = rows.join('')
    })
  })
  const press = () => page.locator('button').click()
  const { paints } = await measurePress(page, { name: 'bare', before: async () => undefined, press })
  await page.close()
  return quantile(paints, 0.95)
}

const pressesOf = (page: Page): Press[] => {
  const composer = page.getByPlaceholder(/^Digite uma mensagem/)
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
  const list = page.getByRole('listbox', { name: 'Aguardando' })
  const long = page.getByRole('listbox', { name: 'Atendendo' }).getByRole('option')
  const search = page.getByRole('combobox', { name: 'Buscar atendimento e mensagens' })
  const keyboard = (key: string) => () => page.keyboard.press(key)

  const toAttending = async () => {
    await tab('Atendendo').click()
    await long.waitFor()
  }
  const toWaiting = async () => {
    await tab('Aguardando').click()
    await list.getByRole('option').first().waitFor()
  }
  const toLong = async () => {
    await toAttending()
    await long.click()
    await page.getByRole('group', { name: 'Conversa com Contato 0' }).waitFor()
    await composer.fill('')
  }
  let turn = 0
  const other = () => list.getByRole('option').nth(turn++ % 5)
  const toOther = async () => {
    await toWaiting()
    await other().click()
    await page.getByRole('log').getByText('Recado').first().waitFor()
  }
  const toDetails = async (isOpen: boolean) => {
    await toLong()
    const panel = page.getByRole('complementary', { name: 'Detalhes do contato' })
    if ((await panel.isVisible()) !== isOpen) await page.keyboard.press('Control+i')
    await panel.waitFor({ state: isOpen ? 'visible' : 'detached' })
  }
  const toList = async () => {
    await toWaiting()
    await list.focus()
  }
  const closed = async (role: 'dialog' | 'menu') => {
    if ((await page.getByRole(role).count()) > 0) await page.keyboard.press('Escape')
    await page.getByRole(role).waitFor({ state: 'detached' })
  }
  return [
    { name: 'tab Atendendo', before: toWaiting, press: () => tab('Atendendo').click() },
    { name: 'tab Aguardando', before: toAttending, press: () => tab('Aguardando').click() },
    { name: 'open a conversation', before: toWaiting, press: () => other().click() },
    {
      name: 'open the long conversation',
      before: async () => {
        await toOther()
        await toAttending()
      },
      press: () => long.click(),
    },
    {
      name: 'type a letter',
      before: async () => {
        await toLong()
        await composer.focus()
      },
      press: keyboard('b'),
    },
    {
      name: 'send',
      before: async () => {
        await toLong()
        await composer.fill('Já vai')
      },
      press: keyboard('Enter'),
    },
    {
      name: 'send from far up',
      before: async () => {
        await toLong()
        const history = page.getByRole('group', { name: 'Conversa com Contato 0' })
        for (let pages = 0; pages < 6; pages++) {
          await history.evaluate((element) => element.scrollTo(0, 0))
          await page.waitForTimeout(80)
        }
        await page.waitForTimeout(500)
        await composer.fill('Já vai')
      },
      press: keyboard('Enter'),
    },
    {
      name: 'up into the messages (↑)',
      before: async () => {
        await toLong()
        await composer.press('Control+ArrowUp')
      },
      press: keyboard('ArrowUp'),
    },
    { name: 'open details (Ctrl I)', before: () => toDetails(false), press: keyboard('Control+i') },
    { name: 'close details (Ctrl I)', before: () => toDetails(true), press: keyboard('Control+i') },
    {
      name: 'search: a letter',
      before: async () => {
        await page
          .getByRole('button', { name: 'Limpar busca' })
          .click({ timeout: 300 })
          .catch(() => undefined)
        await toWaiting()
        await search.focus()
      },
      press: keyboard('p'),
    },
    {
      name: 'search: clear (Esc)',
      before: async () => {
        await search.fill('recado 11')
        await page.getByRole('listbox', { name: 'Resultados da busca' }).waitFor()
      },
      press: keyboard('Escape'),
    },
    { name: 'next in the list (↓)', before: toList, press: keyboard('ArrowDown') },
    { name: 'previous in the list (↑)', before: toList, press: keyboard('ArrowUp') },
    { name: 'next who waits (Alt ↓)', before: toList, press: keyboard('Alt+ArrowDown') },
    {
      name: 'open labels (L)',
      before: async () => {
        await closed('dialog')
        await toList()
        await page.keyboard.press('ArrowDown')
      },
      press: keyboard('l'),
    },
    {
      name: 'filter by labels',
      before: async () => {
        await closed('dialog')
        await closed('menu')
      },
      press: () => page.getByRole('button', { name: 'Filtrar e selecionar' }).click(),
    },
  ]
}

const loadList = async (page: Page): Promise<number> => {
  await page.reload()
  await page.getByRole('tab', { name: /^Aguardando/ }).click()
  const list = page.getByRole('listbox', { name: 'Aguardando' })
  await list.waitFor()
  const rows = () => list.evaluate((element) => Math.round(element.scrollHeight / 68))
  for (let stood = 0, known = await rows(); stood < 20; ) {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await calm(page)
    const now = await rows()
    stood = now === known ? stood + 1 : 0
    known = now
  }
  await list.evaluate((element) => element.scrollTo(0, 0))
  return rows()
}

const loadChat = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: /^Atendendo/ }).click()
  await page.getByRole('listbox', { name: 'Atendendo' }).getByRole('option').click()
  const history = page.getByRole('group', { name: 'Conversa com Contato 0' })
  await history.waitFor()
  for (const end = performance.now() + 300_000; performance.now() < end; ) {
    if ((await page.getByRole('log').getByText('Recado 1.').count()) > 0) break
    await history.evaluate((element) => element.scrollTo(0, 0))
    await page.waitForTimeout(20)
  }
  const loaded = await history.evaluate((element) => Math.round(element.scrollHeight / 64))
  console.log(`${messages} messages scrolled through, about ${loaded} loaded`)
}

const ofLongChat = /^send|^type|long conversation|messages/

const measureAll = async (page: Page, what: string, which: (name: string) => boolean) => {
  const bareMs = await measureBarePage()
  const table: Record<string, Record<string, number | string>> = {}
  // Another conversation lets go of the one that was scrolled through.
  const sendsFirst = ({ name }: Press) => (name.startsWith('send') ? 0 : 1)
  const presses = pressesOf(page).toSorted((a, b) => sendsFirst(a) - sendsFirst(b))
  for (const press of presses.filter(({ name }) => wanted.test(name) && which(name))) {
    const { events, paints } = await measurePress(page, press)
    const slowest = Math.max(...events)
    table[press.name] = {
      'p50 ms': quantile(events, 0.5),
      'p95 ms': quantile(events, 0.95),
      'slowest ms': slowest,
      over: slowest > limitMs ? `over ${limitMs}` : '',
      'paint p50 ms': Math.round(quantile(paints, 0.5)),
      'paint p95 ms': Math.round(quantile(paints, 0.95)),
      times: (quantile(paints, 0.95) / bareMs).toFixed(1),
    }
  }
  console.log(`${what}; a bare page p95 ${bareMs.toFixed(0)} ms; load ${loadavg()[0]?.toFixed(1)}`)
  console.table(table)
}

await promisify(execFile)(process.execPath, [join(root, 'scripts/builds/build-local.mjs')], { cwd: root })
const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir })
const database = { url: postgres.url, pool: openPool(postgres.url), drop: async () => undefined }
const product = await startProduct({ webFolder: join(root, 'web/dist/simulator'), database })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const marina = await product.visitor().register()
  const { id: tenant } = await marina.get<{ id: string }>('/api/auth/user')
  const shop = await addPhone(product.url, 'Padaria Sol', '11900000001')
  await marina.link(shop, 'Padaria Sol')
  for (const name of ['Fiado', 'Encomenda', 'Entrega', 'Fornecedor', 'Festa'])
    await marina.post('/api/labels', { name, colour: 'green' })
  const began = performance.now()
  // The first contact has all further messages.
  const all = messages + contacts - 1
  const every = Math.floor(all / (contacts - 1))
  const isOfOthers = (message: number) => message % every === 0 && message / every < contacts - 1
  const contactOf = (message: number) => (isOfOthers(message) ? 1 + message / every : 0)
  await storeHistory(product.ports, { tenant, contacts, messages: all, textOf, contactOf })
  const long = contactIdOf(0)
  await until(
    async () =>
      (await marina.get<{ content: string }[]>(`/api/whatsapp/contacts/${long}/messages`))
        .at(-1)
        ?.content.startsWith(`Recado ${all - 1}.`),
    900_000,
  )
  await until(
    async () => (await marina.get<{ waiting: number }>('/api/whatsapp/contact-counts')).waiting >= contacts,
    900_000,
  )
  await marina.ask('PATCH', `/api/whatsapp/contacts/${long}/status`, { status: 'attending' })
  console.log(
    `${contacts} contacts, ${all} messages stored and projected in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )

  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'pt-BR' })
  page.on('pageerror', (error) => console.log(String(error)))
  await page.addInitScript(watchPresses)
  await signIn(page, marina)
  await page.goto(`${product.url}/live-chat`)
  await page.getByRole('listbox').waitFor()
  await page.waitForTimeout(3000)
  await measureAll(page, 'as the page opens', (name) => name !== 'send from far up')
  const climbing = performance.now()
  await loadChat(page)
  console.log(`the chat scrolled through in ${((performance.now() - climbing) / 1000).toFixed(0)} s`)
  await measureAll(page, 'the chat scrolled through', (name) => ofLongChat.test(name))
  const loading = performance.now()
  console.log(`${await loadList(page)} rows loaded in ${((performance.now() - loading) / 1000).toFixed(0)} s`)
  await measureAll(page, 'the whole list loaded', (name) => !ofLongChat.test(name))
} finally {
  await browser.close()
  await product.stop()
  await database.pool.end()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
