import { z } from 'zod'
import type { Address, NameOf } from './endpoint.ts'

/** Incoming `entregue`: unread. `recusada`: refused by the server. */
export const messageStatus = z.enum(['recusada', 'enviando', 'enviada', 'entregue', 'lida'])

export const messageKind = z.enum(['text', 'image', 'video', 'audio', 'voice', 'document', 'sticker', 'other'])

export const fileKind = z.enum(
  ['image', 'video', 'audio', 'voice', 'document', 'sticker'],
  'Diga o que o arquivo é: image, video, audio, voice, document ou sticker.',
)

export const simulatedFile = z.object({
  mediaType: z.string(),
  bytes: z.int().nonnegative(),
  fileName: z.string().nullable(),
  seconds: z.number().nullable(),
  waveform: z.array(z.int()).nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
})

export const simulatedMessage = z.object({
  id: z.string(),
  fromMe: z.boolean(),
  /** `name`: null without such a phone. */
  author: z.object({ number: z.string(), name: z.string().nullable() }),
  kind: messageKind,
  /** Text, caption or kind. */
  text: z.string(),
  at: z.iso.datetime(),
  status: messageStatus,
  /** At `…/messages/{id}/file`. */
  file: simulatedFile.nullable(),
  quoted: z.object({ id: z.string(), text: z.string(), author: z.string() }).nullable(),
  reactions: z.array(z.object({ emoji: z.string(), fromMe: z.boolean(), number: z.string() })),
  editedAt: z.iso.datetime().nullable(),
  /** For everyone: `text` is empty. */
  deleted: z.boolean(),
})

export const activity = z.enum(
  ['composing', 'recording', 'paused'],
  'Diga o que a pessoa faz: composing, recording ou paused.',
)

export const simulatedChat = z.object({
  /** Number or group id; `name`: null without such a phone. */
  with: z.object({ number: z.string(), name: z.string().nullable() }),
  isGroup: z.boolean(),
  /** Including the phone itself. */
  members: z.array(z.object({ number: z.string(), name: z.string().nullable() })),
  blocked: z.boolean(),
  activity: z.enum(['composing', 'recording']).nullable(),
  unread: z.int().nonnegative(),
  lastMessage: simulatedMessage.nullable(),
})

export const simulatedPhone = z.object({
  id: z.string(),
  name: z.string(),
  /** Digits with country code. */
  number: z.string(),
  online: z.boolean(),
  /** Receivers see its LID only. */
  hidesNumber: z.boolean(),
  linkedDevices: z.array(z.object({ id: z.string(), online: z.boolean() })),
  chats: z.array(simulatedChat),
})

export const simulatorFaults = z.object({
  loseMessages: z.int(),
  loseReceipts: z.int(),
  refuseMessages: z.array(z.string()),
  refuseLogins: z.array(z.string()),
  delayMs: z.int(),
})

const BRAZILIAN = /^(55)?([1-9]\d)(9\d{8}|[2-9]\d{7})$/

/** Typed number → 55, area code, 8 or 9 digits; undefined if invalid. */
export function brazilianNumber(typed: string): string | undefined {
  const parts = BRAZILIAN.exec(typed.replace(/[\s().+-]/g, ''))
  return parts ? `55${parts[2]}${parts[3]}` : undefined
}

const typedNumber = z.string('Informe o número do telefone.').transform((typed, context) => {
  const number = brazilianNumber(typed)
  if (number) return number
  context.addIssue({ code: 'custom', message: 'Informe um número brasileiro com DDD, como (11) 98765-4321.' })
  return z.NEVER
})

const sentence = (missing: string, max: number, tooLong: string) =>
  z.string(missing).trim().min(1, missing).max(max, tooLong)

const whole = (what: string, least: number, max: number) => {
  const problem = `${what}: um número inteiro de ${least} a ${max}.`
  return z.coerce.number(problem).int(problem).min(least, problem).max(max, problem)
}

export const addPhone = z.object({
  name: sentence('Informe o nome de quem usa o telefone.', 60, 'O nome pode ter até 60 letras.'),
  number: typedNumber,
  hidesNumber: z.boolean('Diga se o número fica oculto: true ou false.').default(false),
})

export const scanQrCode = z.object({
  qr: sentence('Cole o conteúdo do QR code.', 2000, 'Isto não é um QR code de conexão do WhatsApp.'),
})

export const enterPairingCode = z.object({
  code: z
    .string('Digite o código de 8 letras e números.')
    .transform((code) => code.replace(/[\s-]/g, '').toUpperCase())
    .pipe(z.string().regex(/^[0-9A-Z]{8}$/, 'Digite o código de 8 letras e números.')),
})

export const unlinkDevice = z.object({
  deviceId: sentence('Diga qual aparelho deve ser desconectado.', 20, 'Este aparelho não existe.'),
})

export const blockNumber = z.object({ number: typedNumber, blocked: z.boolean('Diga se bloqueia: true ou false.') })

const messageText = sentence('Escreva uma mensagem.', 65_536, 'A mensagem pode ter até 65.536 letras.')
const instant = z.iso.datetime({ offset: true, error: 'Informe o instante assim: 2026-11-20T09:30:00-03:00.' })
/** `at`: the phone's clock; default now. */
const about = { quotedId: z.string().max(100).optional(), at: instant.optional() }

export const sendText = z.object({ text: messageText, ...about })

export const sendFile = z.object({
  kind: fileKind,
  /** Default: the request's type. */
  mediaType: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(;.*)?$/, 'Informe o tipo do arquivo assim: image/png.')
    .optional(),
  caption: z.string().max(4096, 'A legenda pode ter até 4.096 letras.').optional(),
  fileName: z.string().max(255, 'O nome do arquivo pode ter até 255 letras.').optional(),
  seconds: whole('Duração em segundos', 0, 86_400).optional(),
  width: whole('Largura', 1, 20_000).optional(),
  height: whole('Altura', 1, 20_000).optional(),
  /** At most 64, 0 to 100, comma-separated. */
  waveform: z
    .string()
    .regex(/^\d{1,3}(,\d{1,3}){0,63}$/, 'Informe até 64 números de 0 a 100, com vírgulas.')
    .optional(),
  ...about,
})

export const sendExample = z.object({ kind: z.enum(['voice', 'image'], 'Escolha voice ou image.') })

export const editMessage = z.object({ text: messageText })

export const react = z.object({
  emoji: z.string('Escolha um emoji, ou null para tirar a reação.').trim().min(1).max(30).nullable(),
})

export const showActivity = z.object({ activity })

export const createGroup = z.object({
  subject: sentence('Informe o nome do grupo.', 100, 'O nome do grupo pode ter até 100 letras.'),
  /** The first creates the group. */
  memberIds: z.array(z.string()).min(2, 'Um grupo tem pelo menos dois telefones.'),
})

const loginCodes = ['401', '403', '405', '440', '463', '500', '503'] as const
const messageCodes = ['403', '405', '463', '479', '500', '503'] as const
const code = <T extends readonly [string, ...string[]]>(codes: T) =>
  z.enum(codes, `Escolha um código: ${codes.join(', ')}.`)
const count = whole('Quantas vezes', 1, 10_000).default(1)
const line = {
  phoneId: sentence('Diga de qual telefone.', 40, 'Este telefone não existe.'),
  /** Default: all devices. */
  deviceId: z.string().optional(),
}

export const orderFault = z.discriminatedUnion(
  'name',
  [
    z.object({ name: z.literal('lose-messages'), count }),
    z.object({ name: z.literal('lose-receipts'), count }),
    z.object({ name: z.literal('refuse-messages'), code: code(messageCodes), count }),
    z.object({ name: z.literal('refuse-logins'), code: code(loginCodes), count }),
    z.object({ name: z.literal('delay'), ms: whole('Atraso em milissegundos', 0, 60_000) }),
    z.object({ name: z.literal('half-open'), ...line }),
    z.object({ name: z.literal('drop-line'), ...line }),
    z.object({ name: z.literal('redeliver'), ...line }),
    z.object({
      name: z.literal('restart'),
      awayMs: whole('Fora do ar, em milissegundos', 0, 60_000).default(0),
    }),
  ],
  'Escolha uma falha: lose-messages, lose-receipts, refuse-messages, refuse-logins, delay, half-open, drop-line, redeliver ou restart.',
)

export const demoProgress = z.object({
  state: z.enum(['idle', 'running', 'done', 'failed']),
  sentence: z.string(),
  done: z.int(),
  total: z.int(),
})

export const simulatorProblem = z.object({
  title: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
})

export const messageNotice = z.object({ phoneId: z.string(), chat: z.string(), message: simulatedMessage })

const linkedDevice = z.object({ deviceId: z.string() })
const createdGroup = z.object({ id: z.string() })
const nothing = z.void()

const simulated = <const A extends Address>(address: A): A => address

export const simulatorRoot = '/api/simulador'

/** Development only, not in `/api/docs`. */
export const simulatorEndpoints = {
  phones: simulated({ method: 'GET', path: '/api/simulador/phones', replies: { 200: z.array(simulatedPhone) } }),
  addPhone: simulated({
    method: 'POST',
    path: '/api/simulador/phones',
    body: addPhone,
    replies: { 201: simulatedPhone },
  }),
  removePhone: simulated({ method: 'DELETE', path: '/api/simulador/phones/:id', replies: { 204: nothing } }),
  scan: simulated({
    method: 'POST',
    path: '/api/simulador/phones/:id/scan',
    body: scanQrCode,
    replies: { 201: linkedDevice },
  }),
  enterPairingCode: simulated({
    method: 'POST',
    path: '/api/simulador/phones/:id/pairing-code',
    body: enterPairingCode,
    replies: { 201: linkedDevice },
  }),
  unlink: simulated({
    method: 'POST',
    path: '/api/simulador/phones/:id/unlink',
    body: unlinkDevice,
    replies: { 204: nothing },
  }),
  goOffline: simulated({ method: 'POST', path: '/api/simulador/phones/:id/offline', replies: { 204: nothing } }),
  goOnline: simulated({ method: 'POST', path: '/api/simulador/phones/:id/online', replies: { 204: nothing } }),
  block: simulated({
    method: 'POST',
    path: '/api/simulador/phones/:id/block',
    body: blockNumber,
    replies: { 204: nothing },
  }),
  createGroup: simulated({
    method: 'POST',
    path: '/api/simulador/groups',
    body: createGroup,
    replies: { 201: createdGroup },
  }),

  /** `:chat`: number or group id. Oldest first. */
  messages: simulated({
    method: 'GET',
    path: '/api/simulador/phones/:id/chats/:chat/messages',
    replies: { 200: z.array(simulatedMessage) },
  }),
  sendText: simulated({
    method: 'POST',
    path: '/api/simulador/phones/:id/chats/:chat/messages',
    body: sendText,
    replies: { 201: simulatedMessage },
  }),
  sendFile: simulated({
    method: 'POST',
    path: '/api/simulador/phones/:id/chats/:chat/files',
    query: sendFile,
    replies: { 201: simulatedMessage },
  }),
  sendExample: simulated({
    method: 'POST',
    path: '/api/simulador/phones/:id/chats/:chat/examples',
    body: sendExample,
    replies: { 201: simulatedMessage },
  }),
  file: simulated({
    method: 'GET',
    path: '/api/simulador/phones/:id/chats/:chat/messages/:message/file',
    replies: {},
  }),
  editMessage: simulated({
    method: 'PATCH',
    path: '/api/simulador/phones/:id/chats/:chat/messages/:message',
    body: editMessage,
    replies: { 200: simulatedMessage },
  }),
  deleteMessage: simulated({
    method: 'DELETE',
    path: '/api/simulador/phones/:id/chats/:chat/messages/:message',
    replies: { 204: nothing },
  }),
  react: simulated({
    method: 'PUT',
    path: '/api/simulador/phones/:id/chats/:chat/messages/:message/reaction',
    body: react,
    replies: { 200: simulatedMessage },
  }),
  showActivity: simulated({
    method: 'POST',
    path: '/api/simulador/phones/:id/chats/:chat/activity',
    body: showActivity,
    replies: { 204: nothing },
  }),
  read: simulated({
    method: 'POST',
    path: '/api/simulador/phones/:id/chats/:chat/read',
    replies: { 204: nothing },
  }),

  faults: simulated({ method: 'GET', path: '/api/simulador/faults', replies: { 200: simulatorFaults } }),
  orderFault: simulated({
    method: 'POST',
    path: '/api/simulador/faults',
    body: orderFault,
    replies: { 200: simulatorFaults },
  }),
  clearFaults: simulated({ method: 'DELETE', path: '/api/simulador/faults', replies: { 204: nothing } }),
  demo: simulated({ method: 'GET', path: '/api/simulador/demo', replies: { 200: demoProgress } }),
  fillMorning: simulated({ method: 'POST', path: '/api/simulador/demo', replies: { 202: demoProgress } }),
  /** `change` after changes; with `messages=1` a `message` per delivery. */
  changes: simulated({
    method: 'GET',
    path: '/api/simulador/events',
    query: z.object({ messages: z.literal('1').optional().catch(undefined) }),
    replies: {},
  }),
}

type SimulatorEndpoint = (typeof simulatorEndpoints)[keyof typeof simulatorEndpoints]

export type SimulatorEndpoints = { [E in SimulatorEndpoint as NameOf<E>]: E }

export type MessageStatus = z.infer<typeof messageStatus>
export type MessageKind = z.infer<typeof messageKind>
export type FileKind = z.infer<typeof fileKind>
export type Activity = z.infer<typeof activity>
export type SimulatedFile = z.infer<typeof simulatedFile>
export type SimulatedMessage = z.infer<typeof simulatedMessage>
export type SimulatedChat = z.infer<typeof simulatedChat>
export type SimulatedPhone = z.infer<typeof simulatedPhone>
export type SimulatorFaults = z.infer<typeof simulatorFaults>
export type DemoProgress = z.infer<typeof demoProgress>
export type MessageNotice = z.infer<typeof messageNotice>
export type AddPhone = z.input<typeof addPhone>
export type SendText = z.input<typeof sendText>
export type SendFile = z.input<typeof sendFile>
export type CreateGroup = z.input<typeof createGroup>
export type OrderFault = z.input<typeof orderFault>
export type SimulatorProblem = z.infer<typeof simulatorProblem>
