import { automation } from '@prosa/automation/automation'
import { wireBilling } from '@prosa/billing/wire-billing'
import { contacts } from '@prosa/contacts/contacts'
import { wireIdentity } from '@prosa/identity/wire-identity'
import type { Service } from '@prosa/product/ports'
import type { Config } from '@prosa/product/process/config'
import { runServices } from '@prosa/product/process/run-services'
import { readSide } from '@prosa/projections/read-side'
import { wireProjections } from '@prosa/projections/wire-projections'
import { wireRealtime } from '@prosa/realtime/wire-realtime'
import { wireSessions } from '@prosa/sessions/wire-sessions'
import { wireStreams } from '@prosa/streams/wire-streams'
import type { ProcessName } from './service-processes.ts'

/** Like each `main.ts`, but for development: production uses WhatsApp's own network. */
const wires: Record<ProcessName, (config: Config) => readonly Service[]> = {
  identity: (config) => [wireIdentity(config)],
  billing: (config) => [wireBilling(config)],
  contacts: () => [contacts],
  automation: () => [automation],
  sessions: (config) => wireSessions(config),
  projections: (config) => [wireProjections(config)],
  realtime: (config) => [wireRealtime(config)],
  streams: (config) => [wireStreams(config)],
}

await runServices(wires[process.argv[2] as ProcessName], readSide, 'development')
