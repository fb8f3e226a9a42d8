import Button from '@mui/material/Button'
import type { Connection, NumberLine } from '@prosa/contracts/http/connections'
import { Link } from 'react-router-dom'
import LinkOffRounded from '~icons/ic/round-link-off'
import { connectionToWriteFrom } from '../../../lib/connections.ts'
import { paths } from '../../../lib/paths.ts'
import { Banner } from './banner.tsx'

interface Words {
  sentence: string
  /** The line comes back by itself: there is nothing to do. */
  isHealing?: boolean
}

/** What then becomes of what customers write, and of what is written here; after the reason that the server gives, where it gives one. */
const words: Record<Exclude<NumberLine, 'open'>, Words> = {
  unused: { sentence: 'Conecte um número para receber e responder mensagens por aqui.' },
  recovering: {
    sentence: 'O Prosa está reconectando. O que chegar aparece aqui, e o que você escrever sai, assim que ele voltar.',
    isHealing: true,
  },
  paused: { sentence: 'O que você escrever fica guardado. O que chegar enquanto isso pode aparecer só no celular.' },
  replaced: {
    sentence: 'O que chegar enquanto isso vai para ele e pode não aparecer aqui. O que você escrever fica guardado.',
  },
  refused: {
    sentence: 'O que chegar até conectar de novo pode não aparecer aqui. O que você escrever fica guardado.',
  },
  unlinked: {
    sentence: 'O que chegar até conectar de novo pode ficar só no celular. O que você escrever espera por este número.',
  },
  disconnected: {
    sentence:
      'Este número foi desconectado. O que chegar até conectar de novo pode ficar só no celular. O que você escrever espera por ele.',
  },
}

/** Why the line is not up is not known yet: the server is still building that. Nothing is to be done about it. */
const unknown: Words = { sentence: 'O que você escrever fica guardado.', isHealing: true }

/** No connection at all: it was removed, or there never was one. */
const nothing = {
  sentence: 'Nenhum número está conectado: o que chegar fica no celular. Conecte um para receber e responder por aqui.',
}

const wordsFor = (connection: Connection | undefined): Words => {
  if (!connection || connection.line === 'open') return nothing
  return connection.line === null ? unknown : words[connection.line]
}

/** Why no number is up, what that means for what is written meanwhile, and the way on. */
export const WhatsAppBanner = ({ connections }: { connections: readonly Connection[] }) => {
  const connection = connectionToWriteFrom(connections) ?? connections[0]
  const { sentence, isHealing = false } = wordsFor(connection)
  const reason = connection && !isHealing && connection.line !== 'unused' ? connection.statusReason : null
  return (
    <Banner
      tone="warn"
      icon={<LinkOffRounded aria-hidden />}
      title="WhatsApp desconectado"
      sentence={reason ? `${reason} ${sentence}` : sentence}
      action={
        isHealing ? null : (
          <Button component={Link} to={paths.settings} color="warning" variant="outlined">
            Conectar
          </Button>
        )
      }
    />
  )
}
