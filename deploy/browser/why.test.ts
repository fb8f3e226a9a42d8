import { noteMeasurements, shortOrLong } from '@prosa/kernel/testing/long-form'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWhySituations, type WhySituation } from '../test/why-situations.ts'
import { noChromium } from './chromium.ts'
import { isLongWalk } from './long-walk.ts'
import { sayWhy } from './say-why.ts'
import { signIn } from './sign-in.ts'
import { openStage, type Stage } from './stage.ts'
import { answerInPanel, maxPresses } from './why.chapter.ts'

/** `deploy/test/why.test.ts` asks all of them without a browser, `one-line.test.ts` a few in one. */
describe.skipIf(noChromium || !isLongWalk)(`“Por quê?” in the panel${noChromium}`, { timeout: 600_000 }, () => {
  let stage: Stage
  let situations: readonly WhySituation[]
  beforeAll(async () => {
    stage = await openStage({ limitScale: 1000 })
    const made = await makeWhySituations(stage.product, shortOrLong(1, 2))
    situations = made.situations
    await signIn(stage.page, made.admin)
    await stage.page.goto(`${stage.product.url}/admin`)
    await sayWhy(stage)
  }, 300_000)
  afterAll(() => stage?.close())

  it(`answers each situation from the panel alone, in at most ${maxPresses} presses`, async () => {
    const presses: number[] = []
    for (const situation of situations) presses.push(await answerInPanel(stage, situation))
    const sorts = new Set(situations.map(({ sort }) => sort)).size
    expect(situations.length).toBeGreaterThanOrEqual(shortOrLong(15, 30))
    expect(sorts).toBeGreaterThanOrEqual(10)
    noteMeasurements('“Por quê?” in the panel', {
      situations: situations.length,
      sorts,
      maxPresses: Math.max(...presses),
      presses: presses.reduce((sum, each) => sum + each, 0),
    })
  })

  it('looks well', async () => {
    const { page, product } = stage
    for (const sort of ['paid', 'reopened', 'tick']) {
      const situation = situations.find((each) => each.sort === sort)
      if (!situation) throw new Error(`no situation of ${sort}`)
      await answerInPanel(stage, situation)
      await stage.sees(`why-01-${sort}`)
    }
    for (const [name, tab] of [
      ['contacts', 'contatos'],
      ['messages', 'mensagens'],
      ['transactions', 'transacoes'],
      ['history', 'historico'],
    ] as const) {
      await page.goto(`${product.url}/admin?aba=${tab}`)
      await page
        .getByRole('tabpanel')
        .getByRole(name === 'history' ? 'list' : 'row')
        .nth(1)
        .waitFor()
      await stage.sees(`why-02-${name}`)
    }
    await page.getByText('Recusas').click()
    await page
      .getByText(/Nada foi recusado|vez/)
      .first()
      .waitFor()
    await stage.sees('why-03-refused')
  })
})
