import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { noChromium } from './chromium.ts'
import { type ChatStage, openChatStage } from './live-chat/chat-stage.ts'
import { details } from './live-chat/details.chapter.ts'
import { unreadLine } from './live-chat/unread-line.chapter.ts'
import { waiting } from './live-chat/waiting.chapter.ts'

/** Each chapter goes on where the one before ended. */
describe.skipIf(noChromium)(`those who wait, in a real browser${noChromium}`, { timeout: 240_000 }, () => {
  let stage: ChatStage
  beforeAll(async () => {
    stage = await openChatStage()
  }, 120_000)
  afterAll(() => stage?.close())
  afterEach(() => expect(stage.browser.faults).toEqual([]))

  const onStage = () => stage
  waiting(onStage)
  unreadLine(onStage)
  details(onStage)
})
