import type { Message } from '@prosa/contracts/http/live-chat'

const isOnItsWay = ({ sender, status }: Message) => sender === 'user' && status === 'queued'

/** What arrived below the message that was the last before: follow it to the end, or count what the contact wrote. */
export const arrivalsAfter = (messages: Message[], lastBefore: string | undefined) => {
  const known = messages.findIndex(({ id }) => id === lastBefore)
  const arrived = messages.slice(known + 1)
  return {
    // Other messages altogether, or one of ours: whoever asked for them wants to see the end.
    wantsEnd: known === -1 || arrived.some(isOnItsWay),
    theirs: arrived.filter(({ sender }) => sender === 'contact'),
  }
}
