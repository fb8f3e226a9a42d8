import { parseArgs } from 'node:util'
import { instant } from '@prosa/contracts/values/instant'
import type { Question } from './question.ts'
import { UsageError } from './replay-error.ts'

export type Destination =
  | { kind: 'file'; path: string; format: FormatName }
  | { kind: 'stream'; format: FormatName }
  | { kind: 'kafka'; topic: string }

export const formatNames = ['ndjson', 'csv', 'parquet'] as const
export type FormatName = (typeof formatNames)[number]

export interface Options {
  question: Question
  destination: Destination
  keyFile: string | undefined
  brokers: string | undefined
  overwrite: boolean
  isLive: boolean
  /** Times as fast as it happened; undefined: at full speed. */
  speed: number | undefined
  quiet: boolean
}

const flags = {
  url: { type: 'string' },
  'key-file': { type: 'string' },
  to: { type: 'string' },
  brokers: { type: 'string' },
  overwrite: { type: 'boolean', default: false },
  service: { type: 'string', multiple: true },
  type: { type: 'string', multiple: true },
  tenant: { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
  follow: { type: 'boolean', default: false },
  speed: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: false }).values
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const flag = /'(-[^']*)'/.exec(message)?.[1] ?? /'([^']*)'/.exec(message)?.[1] ?? ''
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(`Não há a opção ${flag}.`)
    if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') throw new UsageError(`Não esperava '${flag}'.`)
    throw new UsageError(`A opção ${flag} precisa de um valor, ou não aceita este.`)
  }
}

const isTime = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?)?$/i
const hasZone = /(Z|[+-]\d\d:?\d\d)$/i
/** As the tokens that the API gives. */
const isPosition = /^[\w-]{20,130}$/

type When = { time: string } | { position: string }

const whenOf = (flag: string, text: string | undefined): When | undefined => {
  if (text === undefined) return undefined
  if (isTime.test(text)) {
    const precise = text.length === 10 ? `${text}T00:00Z` : hasZone.test(text.slice(10)) ? text : `${text}Z`
    const time = new Date(precise.replace(' ', 'T'))
    if (!Number.isNaN(time.getTime())) return { time: instant.parse(time.toISOString()) }
  } else if (isPosition.test(text)) return { position: text }
  throw new UsageError(`${flag}: '${text}' não é um instante como 2026-11-21T14:30:00-03:00 nem uma posição.`)
}

const originOf = (text: string | undefined): string => {
  if (!text) throw new UsageError('Diga o endereço do Prosa com --url ou PROSA_URL.')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url: '${text}' não é um endereço como https://atendimento.example.com.`)
  return url.origin
}

const speedOf = (text: string | undefined): number | undefined => {
  if (text === undefined || text === 'max') return undefined
  const speed = Number(/^(\d+(?:[.,]\d+)?)x?$/.exec(text)?.[1]?.replace(',', '.'))
  if (!(speed > 0)) throw new UsageError(`--speed: '${text}' não é uma velocidade como 60x.`)
  return speed
}

const destinationOf = (text: string | undefined): Destination => {
  if (!text) throw new UsageError('Diga para onde com --to: um arquivo, kafka:TOPICO, ou - para a saída padrão.')
  if (text === '-') return { kind: 'stream', format: 'ndjson' }
  if (text.startsWith('kafka:')) {
    const topic = text.slice('kafka:'.length)
    if (/^[\w.-]{1,249}$/.test(topic) && !/^\.{1,2}$/.test(topic)) return { kind: 'kafka', topic }
    throw new UsageError(`--to: '${topic}' não é nome de um tópico (letras, dígitos, '.', '_' e '-').`)
  }
  const format = formatNames.find((name) => text.toLowerCase().endsWith(`.${name}`))
  if (format) return { kind: 'file', path: text, format }
  throw new UsageError(`--to: '${text}' não termina em ${formatNames.map((name) => `.${name}`).join(', ')}.`)
}

/** Undefined: help was asked for. Throws `UsageError`. */
export const optionsOf = (args: readonly string[], { PROSA_URL }: NodeJS.ProcessEnv): Options | undefined => {
  const values = parse(args)
  if (values.help) return undefined
  const [from, until] = [whenOf('--from', values.from), whenOf('--until', values.until)]
  if (from && until && 'time' in from && 'time' in until && from.time >= until.time)
    throw new UsageError('--from vem depois de --until: nada ficaria entre eles.')
  if (values.follow && until) throw new UsageError('--follow não tem fim: não combina com --until.')
  return {
    destination: destinationOf(values.to),
    question: {
      url: originOf(values.url ?? PROSA_URL),
      services: values.service ?? [],
      types: values.type ?? [],
      tenant: values.tenant,
      after: from && 'position' in from ? from.position : undefined,
      since: from && 'time' in from ? from.time : undefined,
      upTo: until && 'position' in until ? until.position : undefined,
      until: until && 'time' in until ? until.time : undefined,
    },
    keyFile: values['key-file'],
    brokers: values.brokers,
    overwrite: values.overwrite,
    isLive: values.follow,
    speed: speedOf(values.speed),
    quiet: values.quiet,
  }
}

export const usage = `npm run replay -- --to DESTINO [opções]      (ou: node replay.mjs --to DESTINO [opções])

Lê os eventos publicados de um Prosa, em ordem, do começo ou de qualquer momento, e os escreve.
A chave é criada no Prosa (Configurações → Integrações, ou a página Dados) e vem de PROSA_KEY ou --key-file.

  --url ENDEREÇO       do Prosa, como https://atendimento.example.com (ou PROSA_URL)
  --key-file ARQUIVO   contém a chave (ou PROSA_KEY)

  --to DESTINO         eventos.ndjson    um evento (CloudEvents, JSON) por linha
                       eventos.csv       uma linha por evento; com um só --type, uma coluna por campo
                       eventos.parquet   o mesmo, para DuckDB e outros
                       kafka:TOPICO      num Kafka seu, criado se faltar
                       -                 saída padrão, NDJSON
  --overwrite          substitui um arquivo que já existe
  --brokers LISTA      kafka-1:9092,kafka-2:9092 (ou KAFKA_BROKERS); TLS e senha: KAFKA_SSL…, KAFKA_SASL…

  --service NOME       só deste serviço, como contacts; pode repetir
  --type TIPO          só deste tipo, como prosa.contacts.message-received.v1; pode repetir
  --tenant ID          só deste assinante (pseudônimo, como nos eventos)
  --from QUANDO        a partir deste instante, ou depois desta posição ("position" de um evento)
  --until QUANDO       antes deste instante, ou até esta posição
                       instantes: 2026-11-21, 2026-11-21T14:30, 2026-11-21T14:30:00-03:00; sem fuso, UTC
  --follow             no fim, espera por novos eventos
  --speed 60x          no ritmo em que aconteceram, 60 vezes mais rápido; sem isso, o mais rápido possível

  --quiet              sem barra de progresso
  --help

Ctrl+C para num ponto certo. O mesmo comando, repetido, continua dali: nenhum evento falta ou vem duas vezes.
O lugar fica ao lado do arquivo (.resume), e no próprio tópico do Kafka; na saída padrão ele é dito no fim.

Fim: 0 completo, 1 falhou (o que foi escrito vale, repita para continuar), 2 comando errado, 130 interrompido.
`
