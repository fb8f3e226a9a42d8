import type { Queue } from '@prosa/contracts/http/live-chat'
import { paths } from '../paths.ts'
import { queueParameter } from './waiting.ts'

const queueWords: Record<string, Queue> = {
  aguardando: 'waiting',
  robo: 'bot',
  atendendo: 'attending',
  resolvidos: 'resolved',
}

/** Of a link that opens this list; undefined where it names none. */
export const queueIn = (address: URLSearchParams): Queue | undefined => queueWords[address.get(queueParameter) ?? '']

export const queueAddress = (queue: Queue): string => {
  const [word = ''] = Object.entries(queueWords).find(([, named]) => named === queue) ?? []
  return `${paths.liveChat}?${queueParameter}=${word}`
}
