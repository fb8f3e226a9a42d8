import Button from '@mui/material/Button'
import type { Connection, NumberLine } from '@prosa/contracts/http/connections'
import { Link } from 'react-router-dom'
import LinkOffRounded from '~icons/ic/round-link-off'
import { isConnected, numbersDown, numbersOf } from '../../../lib/account/connections.ts'
import { paths } from '../../../lib/paths.ts'
import { Banner } from './banner.tsx'

interface Words {
  /** About incoming messages; follows the server's reason. */
  arriving: string
  /** About outgoing messages, where the account has no other number. */
  written: string
  /** Reconnects by itself: no action needed. */
  isHealing?: boolean
}

const writtenWaits = 'O que você escrever fica guardado.'

const words: Record<Exclude<NumberLine, 'open' | 'unused'>, Words> = {
  recovering: {
    arriving: 'O Prosa está reconectando. O que chegar aparece aqui assim que ele voltar.',
    written: 'O que você escrever sai em seguida.',
    isHealing: true,
  },
  paused: { arriving: 'O que chegar enquanto isso pode aparecer só no celular.', written: writtenWaits },
  replaced: { arriving: 'O que chegar enquanto isso vai para ele e pode não aparecer aqui.', written: writtenWaits },
  refused: { arriving: 'O que chegar até conectar de novo pode não aparecer aqui.', written: writtenWaits },
  unlinked: {
    arriving: 'O que chegar até conectar de novo pode ficar só no celular.',
    written: 'O que você escrever espera por este número.',
  },
  disconnected: {
    arriving: 'Este número foi desconectado. O que chegar até conectar de novo pode ficar só no celular.',
    written: 'O que você escrever espera por ele.',
  },
}

/** The server is still building the reason. */
const unknown: Words = { arriving: '', written: writtenWaits, isHealing: true }

const wordsFor = ({ line }: Connection): Words =>
  line === null || line === 'open' || line === 'unused' ? unknown : words[line]

const reasonOf = (connection: Connection): string =>
  wordsFor(connection).isHealing ? '' : (connection.statusReason ?? '')

const joined = (...sentences: string[]): string => sentences.filter(Boolean).join(' ')

const names = new Intl.ListFormat('pt-BR')
/** More are only counted. */
const namedAtMost = 3

const namesOf = (down: readonly Connection[]): string => {
  const more = down.length - namedAtMost
  const shown = down.slice(0, namedAtMost).map(({ name }) => name)
  return `${names.format(more > 0 ? [...shown, `mais ${more}`] : shown)} ${down.length > 1 ? 'estão desconectados' : 'está desconectado'}`
}

const sentenceOfOne = (connection: Connection): string =>
  joined(reasonOf(connection), wordsFor(connection).arriving, 'As respostas por este número esperam por ele.')

const sentenceOfMany = (down: readonly Connection[]): string =>
  joined(
    ...down.slice(0, namedAtMost).map((each) => (reasonOf(each) ? `${each.name}: ${reasonOf(each)}` : '')),
    down.every((each) => wordsFor(each).isHealing)
      ? 'O que chegar aparece aqui assim que eles voltarem.'
      : 'O que chegar até conectar de novo pode não aparecer aqui.',
    'As respostas por cada um esperam por ele.',
  )

/** Specification, 4, requires this title while no number is connected. */
const title = 'WhatsApp desconectado'

const shown = (connections: readonly Connection[]): { title: string; sentence: string } => {
  const down = numbersDown(connections)
  const [first] = down
  if (!first) {
    const what = connections.length > 0 ? '' : 'Nenhum número está conectado: o que chegar fica no celular. '
    return {
      title,
      sentence: `${what}Conecte um número para receber e responder mensagens por aqui.`,
    }
  }
  if (numbersOf(connections).length === 1)
    return { title, sentence: joined(reasonOf(first), wordsFor(first).arriving, wordsFor(first).written) }
  if (!connections.some(isConnected)) return { title, sentence: joined(`${namesOf(down)}.`, sentenceOfMany(down)) }
  return { title: namesOf(down), sentence: down.length === 1 ? sentenceOfOne(first) : sentenceOfMany(down) }
}

export const WhatsAppBanner = ({ connections }: { connections: readonly Connection[] }) => {
  const down = numbersDown(connections)
  const isHealing = down.length > 0 && down.every((each) => wordsFor(each).isHealing)
  return (
    <Banner
      tone="warn"
      icon={<LinkOffRounded aria-hidden />}
      {...shown(connections)}
      // A conversation whose own number is down has its own note.
      isBrief={connections.some(isConnected)}
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
