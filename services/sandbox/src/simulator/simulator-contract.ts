/** What the page of simulated phones and its server say to each other. */
import { z } from 'zod'

/** Ticks of a message; for incoming ones `entregue` means unread. */
export const messageStatus = z.enum(['enviando', 'enviada', 'entregue', 'lida'])

export const simulatedMessage = z.object({
  id: z.string(),
  fromMe: z.boolean(),
  text: z.string(),
  at: z.iso.datetime(),
  status: messageStatus,
})

export const simulatedChat = z.object({
  /** The name is null when no phone has this number any more. */
  with: z.object({ number: z.string(), name: z.string().nullable() }),
  unread: z.int().nonnegative(),
  lastMessage: simulatedMessage.nullable(),
})

export const simulatedPhone = z.object({
  id: z.string(),
  name: z.string(),
  /** With country code, digits only. */
  number: z.string(),
  online: z.boolean(),
  linkedDevices: z.array(z.object({ id: z.string(), online: z.boolean() })),
  /** The chat with the newest message comes first. */
  chats: z.array(simulatedChat),
})

const BRAZILIAN = /^(55)?([1-9]\d)(9\d{8}|[2-9]\d{7})$/

/** A Brazilian number as people type it → 55, area code and 8 or 9 digits; undefined when it is none. */
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

export const addPhone = z.object({
  name: sentence('Informe o nome de quem usa o telefone.', 60, 'O nome pode ter até 60 letras.'),
  number: typedNumber,
})

export const scanQrCode = z.object({
  qr: sentence('Cole o conteúdo do QR code.', 2000, 'Isto não é um QR code de conexão do WhatsApp.'),
})

export const unlinkDevice = z.object({
  deviceId: sentence('Diga qual aparelho deve ser desconectado.', 20, 'Este aparelho não existe.'),
})

export const sendText = z.object({
  text: sentence('Escreva uma mensagem.', 65_536, 'A mensagem pode ter até 65.536 letras.'),
})

export const simulatorProblem = z.object({
  title: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
})

export type MessageStatus = z.infer<typeof messageStatus>
export type SimulatedMessage = z.infer<typeof simulatedMessage>
export type SimulatedChat = z.infer<typeof simulatedChat>
export type SimulatedPhone = z.infer<typeof simulatedPhone>
export type AddPhone = z.input<typeof addPhone>
export type ScanQrCode = z.input<typeof scanQrCode>
export type UnlinkDevice = z.input<typeof unlinkDevice>
export type SendText = z.input<typeof sendText>
export type SimulatorProblem = z.infer<typeof simulatorProblem>
