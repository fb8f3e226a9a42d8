import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { noChromium } from './chromium.ts'
import { isLongWalk } from './long-walk.ts'
import { account, signingIn } from './screens/account.chapter.ts'
import { chatFailures } from './screens/chat.chapter.ts'
import { everyScreen } from './screens/every-screen.chapter.ts'
import { landingPage } from './screens/landing.chapter.ts'
import { panelFailures } from './screens/panel.chapter.ts'
import { pastOfRecords } from './screens/past.chapter.ts'
import { openScreensStage, type ScreensStage } from './screens/screens-stage.ts'
import { settingsFailures } from './screens/settings.chapter.ts'
import { visitors } from './screens/visitors.chapter.ts'

/**
 * Chapters continue each other. `npm test` checks every screen with axe; refusals only in `npm run test:long`, as tests of `web/` cover
 * them.
 */
describe.skipIf(noChromium)(`every screen in a real browser${noChromium}`, { timeout: 240_000 }, () => {
  let stage: ScreensStage
  beforeAll(async () => {
    stage = await openScreensStage()
  }, 120_000)
  afterAll(() => stage?.close())
  afterEach(() => expect(stage.browser.faults).toEqual([]))
  const onStage = () => stage
  landingPage(onStage)
  if (isLongWalk) visitors(onStage)
  signingIn(onStage)
  if (isLongWalk) account(onStage)
  everyScreen(onStage)
  if (isLongWalk) pastOfRecords(onStage)
  if (isLongWalk) {
    settingsFailures(onStage)
    panelFailures(onStage)
    chatFailures(onStage)
  }
})
