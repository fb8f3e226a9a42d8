import Button from '@mui/material/Button'
import type { Connection, NumberLine } from '@prosa/contracts/http/connections'
import { Link } from 'react-router-dom'
import LinkOffRounded from '~icons/ic/round-link-off'
import { isConnected, numbersDown, numbersOf } from '../../../lib/connections.ts'
import { paths } from '../../../lib/paths.ts'
import { Banner } from './banner.tsx'

interface Words {
  /** What becomes of what customers write, after the reason that the server gives, where it gives one. */
  arriving: string
  /** What becomes of what is written here, where the account has no other number. */
  written: string
  /** The line comes back by itself: there is nothing to do. */
  isHealing?: boolean
}

const kept = 'O que você escrever fica guardado.'

const words: Record<Exclude<NumberLine, 'open' | 'unused'>, Words> = {
  recovering: {
    arriving: 'O Prosa está reconectando. O que chegar aparece aqui assim que ele voltar.',
    written: 'O que você escrever sai em seguida.',
    isHealing: true,
  },
  paused: { arriving: 'O que chegar enquanto isso pode aparecer só no celular.', written: kept },
  replaced: { arriving: 'O que chegar enquanto isso vai para ele e pode não aparecer aqui.', written: kept },
  refused: { arriving: 'O que chegar até conectar de novo pode não aparecer aqui.', written: kept },
  unlinked: {
    arriving: 'O que chegar até conectar de novo pode ficar só no celular.',
    written: 'O que você escrever espera por este número.',
  },
  disconnected: {
    arriving: 'Este número foi desconectado. O que chegar até conectar de novo pode ficar só no celular.',
    written: 'O que você escrever espera por ele.',
  },
}

/** Why the line is not up is not known yet: the server is still building that. Nothing is to be done about it. */
const unknown: Words = { arriving: '', written: kept, isHealing: true }

const wordsFor = ({ line }: Connection): Words =>
  line === null || line === 'open' || line === 'unused' ? unknown : words[line]

const reasonOf = (connection: Connection): string =>
  wordsFor(connection).isHealing ? '' : (connection.statusReason ?? '')

const joined = (...sentences: string[]): string => sentences.filter(Boolean).join(' ')

const names = new Intl.ListFormat('pt-BR')
/** So many are named; of more there is their count. */
const namedAtMost = 3

const namesOf = (down: readonly Connection[]): string => {
  const more = down.length - namedAtMost
  const shown = down.slice(0, namedAtMost).map(({ name }) => name)
  return `${names.format(more > 0 ? [...shown, `mais ${more}`] : shown)} ${down.length > 1 ? 'estão desconectados' : 'está desconectado'}`
}

/** Of one number among several: what is said is true of its conversations only. */
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

/** The title of the specification, 4, stands wherever no number is connected. */
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

/** Which numbers are down, why, what that means for what is written meanwhile, and the way on. */
export const WhatsAppBanner = ({ connections }: { connections: readonly Connection[] }) => {
  const down = numbersDown(connections)
  const isHealing = down.length > 0 && down.every((each) => wordsFor(each).isHealing)
  return (
    <Banner
      tone="warn"
      icon={<LinkOffRounded aria-hidden />}
      {...shown(connections)}
      // A conversation whose own number is down has a note of its own.
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
