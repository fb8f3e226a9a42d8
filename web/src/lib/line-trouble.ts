import { useHasIncompleteReads } from './incomplete-reads.ts'
import { useReadingPaused } from './rate-limit-pause.ts'
import { useLine } from './socket.tsx'

interface LineTrouble {
  tone: 'bad' | 'busy'
  words: string
}

/** Why the screen may be outdated or incomplete; null otherwise. */
export const useLineTrouble = (): LineTrouble | null => {
  const line = useLine()
  const isPaused = useReadingPaused()
  const isUnbuilt = useHasIncompleteReads()
  if (line === 'offline') return { tone: 'bad', words: 'Sem internet' }
  if (line === 'crowded') return { tone: 'busy', words: 'Abas demais abertas' }
  if (line === 'reconnecting') return { tone: 'busy', words: 'Reconectando...' }
  if (isPaused) return { tone: 'busy', words: 'Atualizando em instantes' }
  return isUnbuilt ? { tone: 'busy', words: 'Preparando dados da atualização' } : null
}
