import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { noChromium } from './chromium.ts'
import { connectionsChapter } from './settings/connections.chapter.ts'
import { hardCases } from './settings/hard-cases.chapter.ts'
import { quickRepliesChapter } from './settings/quick-replies.chapter.ts'
import { sessionsChapter } from './settings/sessions.chapter.ts'
import { openSettingsStage, type SettingsStage } from './settings/settings-stage.ts'

/** One product and one browser: each chapter goes on where the one before ended. */
describe.skipIf(noChromium)(`sessions and quick replies in a real browser${noChromium}`, { timeout: 240_000 }, () => {
  let stage: SettingsStage
  beforeAll(async () => {
    stage = await openSettingsStage()
  }, 120_000)
  afterAll(() => stage?.close())
  afterEach(() => expect(stage.browser.faults).toEqual([]))

  const onStage = () => stage
  connectionsChapter(onStage)
  quickRepliesChapter(onStage)
  sessionsChapter(onStage)
  hardCases(onStage)
})
