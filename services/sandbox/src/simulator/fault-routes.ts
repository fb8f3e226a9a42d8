import { simulatorEndpoints as endpoints, type orderFault } from '@prosa/contracts/http/simulator'
import type { FastifyPluginAsync } from 'fastify'
import type { z } from 'zod'
import type { Device } from '../server/directory.ts'
import { noFaults } from '../server/faults.ts'
import { phoneById } from './find-phone.ts'
import { parse, Refusal } from './refusal.ts'
import type { Simulator } from './simulator.ts'
import { simulatorRoute } from './simulator-route.ts'

type Order = z.output<typeof orderFault>

/** Throws a refusal when there is none. */
function devicesOf(simulator: Simulator, { phoneId, deviceId }: { phoneId: string; deviceId?: string }): Device[] {
  const companions = phoneById(simulator, phoneId).phone.companions()
  const found = companions.filter(({ id }) => deviceId === undefined || String(id) === deviceId)
  if (found.length === 0) throw new Refusal(422, 'Nenhum aparelho está conectado a este telefone.', 'deviceId')
  return found
}

async function carryOut(simulator: Simulator, order: Order) {
  const { sandbox } = simulator
  const { faults } = sandbox
  switch (order.name) {
    case 'lose-messages':
      faults.loseMessages += order.count
      break
    case 'lose-receipts':
      faults.loseReceipts += order.count
      break
    case 'refuse-messages':
      faults.refuseMessages.push(...Array.from({ length: order.count }, () => order.code))
      break
    case 'refuse-logins':
      faults.refuseLogins.push(...Array.from({ length: order.count }, () => order.code))
      break
    case 'delay':
      faults.delayMs = order.ms
      break
    case 'half-open':
      for (const device of devicesOf(simulator, order)) sandbox.silenceConnection(device)
      break
    case 'drop-line':
      for (const device of devicesOf(simulator, order)) sandbox.dropConnection(device)
      break
    case 'redeliver': {
      const again = devicesOf(simulator, order).map((device) => sandbox.redeliverLast(device))
      if (!again.includes(true)) throw new Refusal(409, 'Este aparelho está fora do ar ou ainda não recebeu mensagem.')
      break
    }
    case 'restart':
      await sandbox.restart(order.awayMs)
  }
}

export const faultRoutes =
  (simulator: Simulator): FastifyPluginAsync =>
  async (app) => {
    const { faults } = simulator.sandbox

    simulatorRoute(app, simulator, endpoints.faults, async () => faults)

    simulatorRoute(app, simulator, endpoints.orderFault, async ({ body }) => {
      await carryOut(simulator, parse(endpoints.orderFault.body, body))
      simulator.changed()
      return faults
    })

    simulatorRoute(app, simulator, endpoints.clearFaults, async () => {
      Object.assign(faults, noFaults())
      simulator.changed()
    })
  }
