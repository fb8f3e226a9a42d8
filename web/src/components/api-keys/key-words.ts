import type { ApiKeyShown } from '@prosa/contracts/http/keys'
import type { KeyScope } from '@prosa/contracts/values/key'
import type { StatusTone } from '../../lib/format/status-tone.ts'

export const scopeWords: Record<KeyScope, { label: string; sentence: string }> = {
  streams: {
    label: 'Eventos',
    sentence: 'Ler tudo o que aconteceu, evento por evento, em ordem, e acompanhar ao vivo.',
  },
  tables: {
    label: 'Tabelas',
    sentence: 'Ler as tabelas prontas: conversas, mensagens, conexões e assinaturas.',
  },
}

export const expiryChoices = [
  { days: 7, label: '7 dias' },
  { days: 30, label: '30 dias' },
  { days: 90, label: '90 dias' },
  { days: 365, label: '1 ano' },
] as const

type KeyState = 'active' | 'expired' | 'revoked'

export const stateOf = ({ revokedAt, expiresAt }: ApiKeyShown, nowMs: number): KeyState => {
  if (revokedAt !== null) return 'revoked'
  return Date.parse(expiresAt) > nowMs ? 'active' : 'expired'
}

export const stateWords: Record<KeyState, { label: string; tone: StatusTone }> = {
  active: { label: 'Ativa', tone: 'good' },
  expired: { label: 'Vencida', tone: 'info' },
  revoked: { label: 'Revogada', tone: 'bad' },
}
