import type { ApiKeyShown } from '@prosa/contracts/http/keys'
import type { KeyScope } from '@prosa/contracts/values/key'
import { isPlatformScope, keyScopeWords } from '@prosa/contracts/values/key-scopes'
import type { StatusTone } from '../../lib/format/status-tone.ts'

/** 'Ler os eventos, ler as tabelas' */
export const labelOf = (...scopes: readonly KeyScope[]): string => {
  const listed = scopes.map((scope) => keyScopeWords[scope].may).join(', ')
  return listed.charAt(0).toUpperCase() + listed.slice(1)
}

/** Only what is published comes with or without personal data. */
export const isOfPublished = (scopes: readonly KeyScope[]): boolean => scopes.some(isPlatformScope)

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
