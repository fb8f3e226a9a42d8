import { setTimeout as delay } from 'node:timers/promises'
import { noteMeasurements } from '@prosa/kernel/testing/long-form'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noChromium } from './chromium.ts'
import { type ChatStage, openChatStage } from './live-chat/chat-stage.ts'
import { addPhone } from './simulated-phone.ts'

const messages = 200
const seconds = 40
const max = 3

const countRequests = (page: Page) => {
  const counted = { requests: 0, refused: 0 }
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) counted.requests++
  })
  page.on('response', (response) => {
    if (response.status() === 429) counted.refused++
  })
  return counted
}

describe.skipIf(noChromium)(`a burst of messages${noChromium}`, { timeout: 240_000 }, () => {
  let stage: ChatStage
  beforeAll(async () => {
    stage = await openChatStage({ limitScale: 1 })
  }, 120_000)
  afterAll(() => stage?.close())

  it(`of ${messages} in ${seconds} s costs two tabs at most ${max} requests a message each, and none is refused`, async () => {
    const { page, browser, product, marina, shop, ana, bruno, clara, row } = stage
    await marina.link(shop, 'Padaria Sol')
    const diego = await addPhone(product.url, 'Diego Reis', '41999990002')
    const people = [ana, ana, bruno, clara, diego]
    for (const person of new Set(people)) await person.write(shop.number, 'Bom dia')
    const other = await browser.context.newPage()
    for (const tab of [page, other]) {
      await tab.goto(`${product.url}/live-chat`)
      await tab.getByRole('listbox').getByRole('option', { name: 'Ana Souza' }).click()
      await tab.getByRole('log').getByText('Bom dia').waitFor()
    }
    const tabs = [page, other].map(countRequests)
    const began = performance.now()
    for (let index = 0; index < messages; index++) {
      await delay(Math.max(0, began + (index * seconds * 1000) / messages - performance.now()))
      await people[index % people.length]?.write(shop.number, `Mensagem ${index}`)
    }
    const tookSeconds = (performance.now() - began) / 1000
    // Waits for the requests that the last messages cause.
    for (const tab of [page, other])
      await tab
        .getByRole('log')
        .getByText(`Mensagem ${messages - 4}`)
        .waitFor()
    await row('Diego Reis')
      .getByText(`Mensagem ${messages - 1}`)
      .waitFor()
    await delay(2000)
    noteMeasurements('a burst of messages before two tabs', {
      messages,
      seconds: tookSeconds.toFixed(1),
      'requests a message': tabs.map(({ requests }) => (requests / messages).toFixed(2)).join(' and '),
    })
    expect(tookSeconds).toBeLessThan(seconds * 1.5)
    expect(tabs.map(({ refused }) => refused)).toEqual([0, 0])
    for (const { requests } of tabs) expect(requests / messages).toBeLessThanOrEqual(max)
  })
})
