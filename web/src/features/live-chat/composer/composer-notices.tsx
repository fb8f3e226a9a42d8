import Typography from '@mui/material/Typography'
import { maximumTextLength } from '@prosa/contracts/values/lengths'
import { plural } from '../../../lib/format/format.ts'
import type { ConversationLine } from '../line/conversation-line.ts'
import { LineAway } from '../line/line-away.tsx'
import { hasCounter } from './use-composer-text.ts'

const lengthSentence = (length: number): string =>
  length > maximumTextLength
    ? `${plural(length - maximumTextLength, 'caractere', 'caracteres')} além do limite`
    : `${plural(maximumTextLength - length, 'caractere restante', 'caracteres restantes')}`

interface Props {
  contactId: string
  line: ConversationLine
  text: string
  tooLong: boolean
  counterId: string
  onFocusLost: () => void
}

export const ComposerNotices = ({ line: { way, named }, text, tooLong, counterId, ...props }: Props) => (
  <>
    {way === 'waiting' && named && (
      <LineAway contactId={props.contactId} connection={named} onFocusLost={props.onFocusLost} />
    )}
    {((way === 'waiting' && !named) || (way === 'none' && text !== '')) && (
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
