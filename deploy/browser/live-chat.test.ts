import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { noChromium } from './chromium.ts'
import { backGesture } from './live-chat/back-gesture.chapter.ts'
import { type ChatStage, openChatStage } from './live-chat/chat-stage.ts'
import { conversation } from './live-chat/conversation.chapter.ts'
import { farAway } from './live-chat/far-away.chapter.ts'
import { firstSteps } from './live-chat/first-steps.chapter.ts'
import { hardCases } from './live-chat/hard-cases.chapter.ts'
import { keyboard } from './live-chat/keyboard.chapter.ts'
import { media } from './live-chat/media.chapter.ts'
import { ownMessages } from './live-chat/own-messages.chapter.ts'
import { exampleMorning, phones } from './live-chat/phones.chapter.ts'
import { places } from './live-chat/places.chapter.ts'
import { refusals } from './live-chat/refusals.chapter.ts'
import { lastTroubles, troubles } from './live-chat/troubles.chapter.ts'
import { writing } from './live-chat/writing.chapter.ts'

/** One product and one browser for a whole day at the counter: each chapter goes on where the one before ended. */
describe.skipIf(noChromium)(`live chat in a real browser${noChromium}`, { timeout: 240_000 }, () => {
  let stage: ChatStage
  beforeAll(async () => {
    stage = await openChatStage()
  }, 120_000)
  afterAll(() => stage?.close())
  afterEach(() => expect(stage.browser.faults).toEqual([]))

  const onStage = () => stage
  firstSteps(onStage)
  conversation(onStage)
  ownMessages(onStage)
  media(onStage)
  refusals(onStage)
  troubles(onStage)
  places(onStage)
  farAway(onStage)
  backGesture(onStage)
  hardCases(onStage)
  keyboard(onStage)
  phones(onStage)
  writing(onStage)
  lastTroubles(onStage)
  exampleMorning(onStage)
})
