import { randomUUID } from 'node:crypto'
import type { Connection } from '@prosa/contracts/http/connections'
import { readQrCode } from '@prosa/sandbox/load/read-qr-code'
import type { ConnectionCommand } from '@prosa/sessions/domain/connection'
import { sessionHandlers } from '@prosa/sessions/handlers'
import type { Visitor } from '../../test/visitor.ts'
import { signIn } from '../sign-in.ts'
import { addPhone, type SimulatedPerson } from '../simulated-phone.ts'
import { openWindow, type Stage } from '../stage.ts'

export interface SettingsStage extends Stage {
  marina: Visitor
  shop: SimulatedPerson
  scanShown(): Promise<void>
  connection(): Promise<Connection>
  /** Replaces a timer, because an expiry takes two minutes. */
  sendCommand(command: ConnectionCommand): Promise<void>
}

export const openSettingsWindow = async (before: Stage): Promise<SettingsStage> => {
  const stage = await openWindow(before)
  const { page, product } = stage
  const marina = await product.visitor().register()
  await signIn(page, marina)
  const shop = await addPhone(product.url, 'Padaria Sol', '11900000002')
  const { connections } = sessionHandlers(product.ports)
  const { id: tenant } = await marina.get<{ id: string }>('/api/auth/user')
  const connection = async () => {
    const [found] = await marina.connections()
    if (!found) throw new Error('Marina has no connection')
    return found
  }
  return {
    ...stage,
    ...{ marina, shop, connection },
    async scanShown() {
      const image = page.getByRole('dialog').getByAltText('QR Code para conectar o WhatsApp')
      await shop.scan(readQrCode((await image.getAttribute('src')) ?? ''))
    },
    async sendCommand(command) {
      const [commandId, actor] = [randomUUID(), { kind: 'system', id: 'time' } as const]
      const context = { commandId, actor, tenant, causationId: commandId, correlationId: commandId }
      const result = await connections((await connection()).id, command, context)
      if (!result.ok) throw new Error(`${command.type}: ${result.rejected}`)
    },
  }
}

export type OnStage = () => SettingsStage
