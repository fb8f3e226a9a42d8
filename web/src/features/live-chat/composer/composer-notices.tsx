import Typography from '@mui/material/Typography'
import { maximumTextLength } from '@prosa/contracts/values/lengths'
import type { WayOut } from '../../../lib/connections.ts'
import { plural } from '../../../lib/format.ts'

/** From here on the composer shows how many characters are left. */
const counterFrom = 3_900

const lengthSentence = (length: number): string =>
  length > maximumTextLength
    ? `${plural(length - maximumTextLength, 'caractere', 'caracteres')} além do limite`
    : `${plural(maximumTextLength - length, 'caractere restante', 'caracteres restantes')}`

export const hasCounter = (text: string): boolean => text.length >= counterFrom

interface Props {
  way: WayOut
  text: string
  tooLong: boolean
  /** Of the element that counts the characters. */
  counterId: string
}

/** Below the box: why nothing leaves now, and how many characters are left. */
export const ComposerNotices = ({ way, text, tooLong, counterId }: Props) => (
  <>
    {(way === 'waiting' || (way === 'none' && text !== '')) && (
      <Typography role="status" variant="caption" component="p" sx={{ pt: 1, color: 'warn' }}>
        {way === 'waiting'
          ? 'Aguardando a conexão: o que você enviar fica guardado.'
          : 'Conecte o WhatsApp para enviar mensagens. O que você escreveu fica aqui.'}
      </Typography>
    )}
    {hasCounter(text) && (
      <Typography
        id={counterId}
        role="status"
        variant="caption"
        sx={{ display: 'block', pt: 1, color: tooLong ? 'danger' : 'text.secondary' }}
      >
        {lengthSentence(text.length)}
      </Typography>
    )}
  </>
)
