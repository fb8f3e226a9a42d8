/** Phones: adding, linking, line, blocking, groups. */
import type { FastifyPluginAsync } from 'fastify'
import { UnusableCode, UnusableQrCode } from '../phone/linking.ts'
import { NoAnswer } from '../wire/connection.ts'
import { answeringAfterSave, phoneById } from './find-phone.ts'
import { parse, Refusal } from './refusal.ts'
import type { Simulator } from './simulator.ts'
import * as contract from './simulator-contract.ts'

interface PhoneRoute {
  Params: { id: string }
}

export const phoneRoutes =
  (simulator: Simulator): FastifyPluginAsync =>
  async (app) => {
    const done = answeringAfterSave(simulator)
    const online = (id: string, toDo: string) => {
      const found = phoneById(simulator, id)
      if (!found.phone.online) throw new Refusal(409, `O telefone está sem internet. Conecte-o para ${toDo}.`)
      return found
    }

    app.get('/phones', async () => simulator.phones())

    app.post('/phones', async ({ body }, reply) => {
      const { name, number, hidesNumber } = parse(contract.addPhone, body)
      if (simulator.hasNumber(number)) throw new Refusal(409, 'Já existe um telefone com este número.', 'number')
      return done(reply, 201, simulator.addPhone(number, name, hidesNumber))
    })

    app.delete<PhoneRoute>('/phones/:id', async ({ params }, reply) => {
      phoneById(simulator, params.id)
      simulator.removePhone(params.id)
      return done(reply)
    })

    app.post<PhoneRoute>('/phones/:id/scan', async ({ params, body }, reply) => {
      phoneById(simulator, params.id)
      const { qr } = parse(contract.scanQrCode, body)
      const { phone } = online(params.id, 'ler o QR code')
      const device = await phone.scan(qr).catch((error: unknown) => {
        if (!(error instanceof UnusableQrCode || error instanceof NoAnswer)) throw error
        throw new Refusal(422, 'Este QR code expirou ou não foi gerado por este servidor. Leia o código atual.', 'qr')
      })
      return done(reply, 201, { deviceId: String(device.id) })
    })

    app.post<PhoneRoute>('/phones/:id/pairing-code', async ({ params, body }, reply) => {
      phoneById(simulator, params.id)
      const { code } = parse(contract.enterPairingCode, body)
      const { phone } = online(params.id, 'digitar o código')
      const device = await phone.enterCode(code).catch((error: unknown) => {
        if (!(error instanceof UnusableCode || error instanceof NoAnswer)) throw error
        throw new Refusal(422, 'Este código não vale para este número. Peça um novo e digite-o aqui.', 'code')
      })
      return done(reply, 201, { deviceId: String(device.id) })
    })

    app.post<PhoneRoute>('/phones/:id/unlink', async ({ params, body }, reply) => {
      const { phone } = phoneById(simulator, params.id)
      const { deviceId } = parse(contract.unlinkDevice, body)
      const device = phone.companions().find((companion) => String(companion.id) === deviceId)
      if (!device) throw new Refusal(404, 'Este aparelho já não está conectado.', 'deviceId')
      phone.unlink(device)
      return done(reply)
    })

    app.post<PhoneRoute>('/phones/:id/offline', async ({ params }, reply) => {
      const { phone } = phoneById(simulator, params.id)
      if (phone.online) phone.goOffline()
      return done(reply)
    })

    app.post<PhoneRoute>('/phones/:id/online', async ({ params }, reply) => {
      const { phone } = phoneById(simulator, params.id)
      if (!phone.online) phone.goOnline()
      return done(reply)
    })

    app.post<PhoneRoute>('/phones/:id/block', async ({ params, body }, reply) => {
      const { phone } = phoneById(simulator, params.id)
      const { number, blocked } = parse(contract.blockNumber, body)
      if (number === phone.number) throw new Refusal(422, 'Um telefone não bloqueia a si mesmo.', 'number')
      if (!phone.knows(number)) throw new Refusal(422, 'Nenhum telefone simulado tem este número.', 'number')
      phone.setBlocked(number, blocked)
      simulator.changed()
      return done(reply)
    })

    app.post('/groups', async ({ body }, reply) => {
      const { subject, memberIds } = parse(contract.createGroup, body)
      const members = [...new Set(memberIds)].map((id) => {
        const found = simulator.phone(id)
        if (!found) throw new Refusal(422, 'Um dos telefones não existe mais.', 'memberIds')
        return found
      })
      if (members.length < 2) throw new Refusal(422, 'Um grupo tem pelo menos dois telefones.', 'memberIds')
      return done(reply, 201, { id: simulator.createGroup(subject, members) })
    })
  }
