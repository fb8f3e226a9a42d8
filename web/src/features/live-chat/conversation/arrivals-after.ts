import type { Message } from '@prosa/contracts/http/live-chat'

const isOnItsWay = ({ sender, status }: Message) => sender === 'user' && status === 'queued'

export const arrivalsAfter = (messages: Message[], lastBefore: string | undefined) => {
  const known = messages.findIndex(({ id }) => id === lastBefore)
  const arrived = messages.slice(known + 1)
  return {
    // Another history, or a message of ours: go to the end.
    wantsEnd: known === -1 || arrived.some(isOnItsWay),
    theirs: arrived.filter(({ sender }) => sender === 'contact'),
  }
}
