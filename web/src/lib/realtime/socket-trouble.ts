import { useHasIncompleteReads } from '../http/incomplete-reads.ts'
import { useReadingPaused } from '../http/rate-limit-pause.ts'
import { useSocketStatus } from './socket.tsx'

interface LineTrouble {
  tone: 'bad' | 'busy'
  words: string
}

/** Why the screen may be outdated or incomplete; null otherwise. */
export const useSocketTrouble = (): LineTrouble | null => {
  const status = useSocketStatus()
  const isPaused = useReadingPaused()
  const isUnbuilt = useHasIncompleteReads()
  if (status === 'offline') return { tone: 'bad', words: 'Sem internet' }
  if (status === 'crowded') return { tone: 'busy', words: 'Abas demais abertas' }
  if (status === 'reconnecting') return { tone: 'busy', words: 'Reconectando...' }
  if (isPaused) return { tone: 'busy', words: 'Atualizando em instantes' }
  return isUnbuilt ? { tone: 'busy', words: 'Preparando dados da atualização' } : null
}
