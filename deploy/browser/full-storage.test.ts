import { until } from '@prosa/kernel/testing/until'
import { defaultBudgets } from '@prosa/product/budgets'
import { examplePicture, examplePictureSize } from '@prosa/sandbox/demo/example-picture'
import type { Phone } from '@prosa/sandbox/phone/phone'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Visitor } from '../test/visitor.ts'
import { noChromium } from './chromium.ts'
import { signIn } from './sign-in.ts'
import { openStage, type Stage } from './stage.ts'

const shopNumber = '5511900000001'

describe.skipIf(noChromium)(`a storage that is full, in a real browser${noChromium}`, { timeout: 240_000 }, () => {
  let stage: Stage
  let marina: Visitor
  let ana: Phone
  beforeAll(async () => {
    stage = await openStage()
    marina = await stage.product.visitor().register()
    const shop = stage.product.whatsapp.addPhone(shopNumber, 'Padaria Sol')
    ana = stage.product.whatsapp.addPhone('5511988776655', 'Ana Souza')
    await marina.link(shop)
    await ana.sendText(shopNumber, 'Oi, posso mandar a foto?')
    const contact = await until(async () => (await marina.contacts('waiting'))[0])
    await marina.ask('PATCH', `/api/whatsapp/contacts/${contact.id}/status`, { status: 'attending' })
    await signIn(stage.page, marina)
    await stage.page.goto(`${marina.url}/live-chat?contato=${contact.id}`)
  }, 120_000)
  afterAll(() => stage?.close())
  afterEach(() => expect(stage.browser.faults).toEqual([]))

  const keeps = async (bytes: number) => {
    const { id } = await marina.get<{ id: string }>('/api/auth/user')
    const kept = `insert into kept_files (owner, bytes) values ($1, $2) on conflict (owner) do update set bytes = $2`
    await stage.product.ports.pool.query(kept, [id, bytes])
  }
  const bubble = (text: string) => stage.page.locator('[id^="message-"]').filter({ hasText: text }).last()

  it('explains itself in the bubble of a file before it has left, and sends it once there is room', async () => {
    const { page, sees } = stage
    await keeps(defaultBudgets.keptBytesPerTenant)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    // Slowed down, because the whole file would take too long.
    await network.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1 },
      uploadThroughput: 50 * 1024,
    })
    const buffer = Buffer.alloc(4 * 1024 * 1024, 'Receitas da casa. ')
    await page
      .getByLabel('Documento', { exact: true })
      .setInputFiles({ name: 'receitas.txt', mimeType: 'text/plain', buffer })
    await page.getByLabel('Legenda de receitas.txt').fill('As receitas da casa')
    await page.getByLabel('Legenda de receitas.txt').press('Enter')
    const going = bubble('As receitas da casa')
    await going.getByText(/O espaço para arquivos da sua conta está cheio\. Apague contatos/).waitFor()
    await sees('chat-60-upload-without-room')
    await network.detach()
    await keeps(0)
    const arrived = ana.nextMessage()
    await going.getByRole('button', { name: 'Tentar de novo' }).click()
    expect((await arrived).text).toBe('As receitas da casa')
  })

  it('explains itself in the bubble of a file that came, and shows it once there is room and somebody asks', async () => {
    const { page, sees } = stage
    await keeps(defaultBudgets.keptBytesPerTenant)
    const details = { mimetype: 'image/png', caption: 'A decoração', ...examplePictureSize }
    await ana.sendMedia(shopNumber, 'image', examplePicture(2), details)
    const came = bubble('A decoração')
    await came.getByText(/espaço para arquivos da sua conta está cheio, e este não foi baixado/).waitFor()
    await sees('chat-61-picture-without-room')
    await keeps(0)
    await came.getByRole('button', { name: 'Tentar de novo' }).click()
    await page.getByRole('img', { name: /A decoração/ }).waitFor()
  })
})
