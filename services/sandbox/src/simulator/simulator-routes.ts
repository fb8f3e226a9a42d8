/** The control API of the page of simulated phones. Every reply to a change is sent after it is on disk. */
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { z } from 'zod'
import { UnusableQrCode } from '../phone/linking.ts'
import { NoAnswer } from '../wire/connection.ts'
import type { PhoneChats } from './phone-chats.ts'
import { describeMessage, type Simulator } from './simulator.ts'
import * as contract from './simulator-contract.ts'
import { streamChanges } from './stream-changes.ts'

interface PhoneRoute {
  Params: { id: string }
}

interface ChatRoute {
  Params: { id: string; number: string }
}

/** A refusal on its way to the reply: status, and what the person reads. */
class Refusal extends Error {
  readonly statusCode: number
  readonly field?: string

  constructor(statusCode: number, sentence: string, field?: string) {
    super(sentence)
    this.statusCode = statusCode
    this.field = field
  }
}

function parse<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  throw new InvalidBody(parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })))
}

class InvalidBody extends Error {
  readonly errors: { field: string; message: string }[]

  constructor(errors: { field: string; message: string }[]) {
    super('Confira os campos destacados.')
    this.errors = errors
  }
}

export const simulatorRoutes =
  ({ sandbox: simulator }: { sandbox: Simulator }): FastifyPluginAsync =>
  async (app) => {
    const phoneOf = (id: string): PhoneChats => {
      const found = simulator.phone(id)
      if (!found) throw new Refusal(404, 'Este telefone não existe mais.')
      return found
    }
    const done = async (reply: FastifyReply, status = 204, body?: unknown) => {
      await simulator.saved()
      return reply.code(status).send(body)
    }

    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const problem = (status: number, title: string, errors: contract.SimulatorProblem['errors'] = []) =>
        reply.code(status).send({ title, errors } satisfies contract.SimulatorProblem)
      if (error instanceof InvalidBody) return problem(422, error.message, error.errors)
      if (error instanceof Refusal) {
        const { field, message } = error
        return problem(error.statusCode, message, field ? [{ field, message }] : [])
      }
      if (error.statusCode === 413) return problem(413, 'O conteúdo enviado é grande demais.')
      if (error.statusCode !== undefined && error.statusCode < 500) {
        return problem(error.statusCode, 'O pedido não pôde ser lido.')
      }
      throw error
    })

    app.get('/phones', async () => simulator.phones())

    app.post('/phones', async ({ body }, reply) => {
      const { name, number } = parse(contract.addPhone, body)
      if (simulator.hasNumber(number)) throw new Refusal(409, 'Já existe um telefone com este número.', 'number')
      return done(reply, 201, simulator.addPhone(number, name))
    })

    app.delete<PhoneRoute>('/phones/:id', async ({ params }, reply) => {
      phoneOf(params.id)
      simulator.removePhone(params.id)
      return done(reply)
    })

    app.post<PhoneRoute>('/phones/:id/scan', async ({ params, body }, reply) => {
      const { phone } = phoneOf(params.id)
      const { qr } = parse(contract.scanQrCode, body)
      if (!phone.online) throw new Refusal(409, 'O telefone está sem internet. Conecte-o para ler o QR code.')
      const device = await phone.scan(qr).catch((error: unknown) => {
        if (!(error instanceof UnusableQrCode || error instanceof NoAnswer)) throw error
        throw new Refusal(422, 'Este QR code expirou ou não foi gerado por este servidor. Leia o código atual.', 'qr')
      })
      return done(reply, 201, { deviceId: String(device.id) })
    })

    app.post<PhoneRoute>('/phones/:id/unlink', async ({ params, body }, reply) => {
      const { phone } = phoneOf(params.id)
      const { deviceId } = parse(contract.unlinkDevice, body)
      const device = phone.companions().find((companion) => String(companion.id) === deviceId)
      if (!device) throw new Refusal(404, 'Este aparelho já não está conectado.', 'deviceId')
      phone.unlink(device)
      return done(reply)
    })

    app.post<PhoneRoute>('/phones/:id/offline', async ({ params }, reply) => {
      const { phone } = phoneOf(params.id)
      if (phone.online) phone.goOffline()
      return done(reply)
    })

    app.post<PhoneRoute>('/phones/:id/online', async ({ params }, reply) => {
      const { phone } = phoneOf(params.id)
      if (!phone.online) phone.goOnline()
      return done(reply)
    })

    app.get<ChatRoute>('/phones/:id/chats/:number/messages', async ({ params }) =>
      phoneOf(params.id).messagesWith(params.number).map(describeMessage),
    )

    app.post<ChatRoute>('/phones/:id/chats/:number/messages', async ({ params, body }, reply) => {
      const chats = phoneOf(params.id)
      const { text } = parse(contract.sendText, body)
      const number = contract.brazilianNumber(params.number)
      if (number === chats.phone.number) throw new Refusal(422, 'Um telefone não escreve para si mesmo.', 'number')
      if (!number || !simulator.hasNumber(number)) {
        throw new Refusal(422, 'Nenhum telefone simulado tem este número. Adicione-o antes de escrever.', 'number')
      }
      return done(reply, 201, describeMessage(chats.write(number, text)))
    })

    app.post<ChatRoute>('/phones/:id/chats/:number/read', async ({ params }, reply) => {
      phoneOf(params.id).read(params.number)
      return done(reply)
    })

    app.get('/events', async (_request, reply) => streamChanges(simulator, reply))
    app.addHook('preClose', async () => void simulator.emit('closing'))
  }
