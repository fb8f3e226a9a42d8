import { simulatorEndpoints as endpoints } from '@prosa/contracts/http/simulator'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { UnusableCode, UnusableQrCode } from '../phone/linking.ts'
import { NoAnswer } from '../wire/connection.ts'
import { phoneById } from './find-phone.ts'
import { parse, Refusal } from './refusal.ts'
import type { Simulator } from './simulator.ts'
import { simulatorRoute } from './simulator-route.ts'

const online = (simulator: Simulator, id: string, toDo: string) => {
  const found = phoneById(simulator, id)
  if (!found.phone.online) throw new Refusal(409, `O telefone está sem internet. Conecte-o para ${toDo}.`)
  return found
}

const linkRoutes = (app: FastifyInstance, simulator: Simulator) => {
  simulatorRoute(app, simulator, endpoints.scan, async ({ params, body }) => {
    phoneById(simulator, params.id)
    const { qr } = parse(endpoints.scan.body, body)
    const { phone } = online(simulator, params.id, 'ler o QR code')
    const device = await phone.scan(qr).catch((error: unknown) => {
      if (!(error instanceof UnusableQrCode || error instanceof NoAnswer)) throw error
      throw new Refusal(422, 'Este QR code expirou ou não foi gerado por este servidor. Leia o código atual.', 'qr')
    })
    return { deviceId: String(device.id) }
  })

  simulatorRoute(app, simulator, endpoints.enterPairingCode, async ({ params, body }) => {
    phoneById(simulator, params.id)
    const { code } = parse(endpoints.enterPairingCode.body, body)
    const { phone } = online(simulator, params.id, 'digitar o código')
    const device = await phone.enterCode(code).catch((error: unknown) => {
      if (!(error instanceof UnusableCode || error instanceof NoAnswer)) throw error
      throw new Refusal(422, 'Este código não vale para este número. Peça um novo e digite-o aqui.', 'code')
    })
    return { deviceId: String(device.id) }
  })

  simulatorRoute(app, simulator, endpoints.unlink, async ({ params, body }) => {
    const { phone } = phoneById(simulator, params.id)
    const { deviceId } = parse(endpoints.unlink.body, body)
    const device = phone.companions().find((companion) => String(companion.id) === deviceId)
    if (!device) throw new Refusal(404, 'Este aparelho já não está conectado.', 'deviceId')
    phone.unlink(device)
  })
}

export const phoneRoutes =
  (simulator: Simulator): FastifyPluginAsync =>
  async (app) => {
    linkRoutes(app, simulator)

    simulatorRoute(app, simulator, endpoints.phones, async () => simulator.phones())

    simulatorRoute(app, simulator, endpoints.addPhone, async ({ body }) => {
      const { name, number, hidesNumber } = parse(endpoints.addPhone.body, body)
      if (simulator.hasNumber(number)) throw new Refusal(409, 'Já existe um telefone com este número.', 'number')
      return simulator.addPhone(number, name, hidesNumber)
    })

    simulatorRoute(app, simulator, endpoints.removePhone, async ({ params }) => {
      phoneById(simulator, params.id)
      simulator.removePhone(params.id)
    })

    simulatorRoute(app, simulator, endpoints.goOffline, async ({ params }) => {
      const { phone } = phoneById(simulator, params.id)
      if (phone.online) phone.goOffline()
    })

    simulatorRoute(app, simulator, endpoints.goOnline, async ({ params }) => {
      const { phone } = phoneById(simulator, params.id)
      if (!phone.online) phone.goOnline()
    })

    simulatorRoute(app, simulator, endpoints.block, async ({ params, body }) => {
      const { phone } = phoneById(simulator, params.id)
      const { number, blocked } = parse(endpoints.block.body, body)
      if (number === phone.number) throw new Refusal(422, 'Um telefone não bloqueia a si mesmo.', 'number')
      if (!phone.knows(number)) throw new Refusal(422, 'Nenhum telefone simulado tem este número.', 'number')
      phone.setBlocked(number, blocked)
      simulator.changed()
    })

    simulatorRoute(app, simulator, endpoints.createGroup, async ({ body }) => {
      const { subject, memberIds } = parse(endpoints.createGroup.body, body)
      const members = [...new Set(memberIds)].map((id) => {
        const found = simulator.phone(id)
        if (!found) throw new Refusal(422, 'Um dos telefones não existe mais.', 'memberIds')
        return found
      })
      if (members.length < 2) throw new Refusal(422, 'Um grupo tem pelo menos dois telefones.', 'memberIds')
      return { id: simulator.createGroup(subject, members) }
    })
  }
