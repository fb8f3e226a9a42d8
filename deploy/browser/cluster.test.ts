import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noChromium } from './chromium.ts'
import { type ChatStage, openChatStage } from './live-chat/chat-stage.ts'
import { conversation } from './live-chat/conversation.chapter.ts'
import { firstSteps } from './live-chat/first-steps.chapter.ts'

/** What `PROSA_TOPOLOGY=cluster` runs in `npm run test:long` for all acceptance tests. */
describe.skipIf(noChromium)(
  `live chat over many processes in a real browser${noChromium}`,
  { timeout: 240_000 },
  () => {
    let stage: ChatStage
    beforeAll(async () => {
      stage = await openChatStage({ isClustered: true })
    }, 180_000)
    afterAll(() => stage?.close(), 60_000)

    const onStage = () => stage
    firstSteps(onStage)
    conversation(onStage)

    it('goes on in an open page whose realtime process dies, with what was written meanwhile', async () => {
      const { page, product, ana, shop, bubble, row, send } = stage
      await row('Ana Souza').click()
      await page.evaluate(() => Reflect.set(globalThis, 'isOpenSinceBefore', true))
      const realtime = () => (product.processes?.() ?? []).filter(({ name }) => name === 'realtime')
      const socketsAt = async (url: string) => {
        const metrics = await fetch(`${url}/metrics`).then((reply) => reply.text())
        return Number(/^prosa_sockets_open (\d+)/m.exec(metrics)?.[1])
      }
      const hasSocket = async () => {
        for (const each of realtime()) if ((await socketsAt(each.url)) > 0) return each
        return undefined
      }
      const died = await until(hasSocket)
      process.kill(died.pid, 'SIGKILL')
      await ana.write(shop.number, 'Escrito enquanto o processo morria')
      await bubble('Escrito enquanto o processo morria').waitFor()
      const other = await until(() => hasSocket().catch(() => undefined))
      expect(other.pid).not.toBe(died.pid)
      await ana.write(shop.number, 'E depois?')
      await bubble('E depois?').waitFor()
      await send('Seguimos aqui.')
      await ana.received(shop.number, ({ text }) => text === 'Seguimos aqui.')
      const texts = (await ana.messages(shop.number)).map(({ text }) => text)
      expect(texts.filter((text) => text === 'Seguimos aqui.')).toHaveLength(1)
      expect(await page.evaluate(() => Reflect.get(globalThis, 'isOpenSinceBefore'))).toBe(true)
      expect(stage.browser.faults).toEqual([])
    })
  },
)
