import type { WhatsappSession } from '@prosa/contracts/http/connections'
import type { StatusTone } from '../../lib/status-tone.ts'

/** Specification, 4. */
export const sessionBadges: Record<WhatsappSession['status'], { label: string; tone: StatusTone }> = {
  active: { label: 'Ativa', tone: 'good' },
  qr_ready: { label: 'QR Pronto', tone: 'busy' },
  connecting: { label: 'Conectando', tone: 'busy' },
  inactive: { label: 'Inativa', tone: 'bad' },
}

/** First and last four characters, enough to distinguish tokens. */
export const shortToken = (token: string): string => `${token.slice(0, 4)}…${token.slice(-4)}`
