import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { noChromium } from './chromium.ts'
import { backGesture } from './live-chat/back-gesture.chapter.ts'
import { type ChatStage, openChatStage, openChatWindow } from './live-chat/chat-stage.ts'
import { conversation } from './live-chat/conversation.chapter.ts'
import { details } from './live-chat/details.chapter.ts'
import { farAway } from './live-chat/far-away.chapter.ts'
import { firstSteps } from './live-chat/first-steps.chapter.ts'
import { hardCases } from './live-chat/hard-cases.chapter.ts'
import { keyboard } from './live-chat/keyboard.chapter.ts'
import { filesOnTheirWay, pastedFiles, videos } from './live-chat/media.chapter.ts'
import { emojis, ownMessages } from './live-chat/own-messages.chapter.ts'
import { phone } from './live-chat/phone.chapter.ts'
import { exampleMorning, phones } from './live-chat/phones.chapter.ts'
import { places } from './live-chat/places.chapter.ts'
import { refusals } from './live-chat/refusals.chapter.ts'
import { robot } from './live-chat/robot.chapter.ts'
import { lastTroubles, offline, reconnecting, refusedMessages } from './live-chat/troubles.chapter.ts'
import { twoNumbers } from './live-chat/two-numbers.chapter.ts'
import { longUnread, unreadLine } from './live-chat/unread-line.chapter.ts'
import { waiting } from './live-chat/waiting.chapter.ts'
import { writing } from './live-chat/writing.chapter.ts'
import { isLongWalk } from './long-walk.ts'

/** One product and browser for all; each chapter continues where the previous one ended. */
describe.skipIf(noChromium)(`live chat in a real browser${noChromium}`, { timeout: 240_000 }, () => {
  let stage: ChatStage
  beforeAll(async () => {
    stage = await openChatStage()
  }, 120_000)
  afterAll(() => stage?.close())

  describe('for a whole day at the counter', () => {
    afterEach(() => expect(stage.browser.faults).toEqual([]))
    afterAll(() => stage.page.goto('about:blank'))

    const onStage = () => stage
    firstSteps(onStage)
    conversation(onStage)
    emojis(onStage)
    if (isLongWalk) ownMessages(onStage)
    if (isLongWalk) filesOnTheirWay(onStage)
    videos(onStage)
    if (isLongWalk) pastedFiles(onStage)
    if (isLongWalk) refusals(onStage)
    if (isLongWalk) refusedMessages(onStage)
    offline(onStage)
    if (isLongWalk) reconnecting(onStage)
    if (isLongWalk) places(onStage)
    farAway(onStage)
    backGesture(onStage)
    if (isLongWalk) {
      hardCases(onStage)
      keyboard(onStage)
      phones(onStage)
      writing(onStage)
      lastTroubles(onStage)
      exampleMorning(onStage)
    }
  })

  describe('for those who wait', () => {
    let window: ChatStage
    beforeAll(async () => {
      window = await openChatWindow(stage, 1)
    }, 120_000)
    afterAll(() => window?.close())
    afterEach(() => expect(window.browser.faults).toEqual([]))

    const inWindow = () => window
    waiting(inWindow)
    unreadLine(inWindow)
    if (isLongWalk) longUnread(inWindow)
    details(inWindow)
  })

  if (isLongWalk)
    describe('for a business with a robot', () => {
      let window: ChatStage
      beforeAll(async () => {
        window = await openChatWindow(stage, 5)
      }, 120_000)
      afterAll(() => window?.close())
      afterEach(() => expect(window.browser.faults).toEqual([]))

      robot(() => window)
    })

  describe('for a business with two numbers', () => {
    let window: ChatStage
    beforeAll(async () => {
      window = await openChatWindow(stage, 3)
    }, 120_000)
    afterAll(() => window?.close())
    afterEach(() => expect(window.browser.faults).toEqual([]))

    twoNumbers(() => window, '11900000081')
  })

  if (isLongWalk)
    describe('for a business with two numbers, 390 px wide', () => {
      let window: ChatStage
      beforeAll(async () => {
        window = await openChatWindow(stage, 4, { phone: true })
      }, 120_000)
      afterAll(() => window?.close())
      afterEach(() => expect(window.browser.faults).toEqual([]))

      twoNumbers(() => window, '11900000082')
    })

  describe('under a finger, 390 px wide', () => {
    let window: ChatStage
    beforeAll(async () => {
      window = await openChatWindow(stage, 2, { phone: true })
    }, 120_000)
    afterAll(() => window?.close())
    afterEach(() => expect(window.browser.faults).toEqual([]))

    phone(() => window)
  })
})
