/**
 * `npx tsx services/sandbox/src/cli.ts [--whatsapp 4100] [--control 4101] [--state file.json]`: the sandbox as a server. Products link with
 * WA_WEBSOCKET_URL; the control API listens on 127.0.0.1 only.
 */
import { parseArgs } from 'node:util'
import fastify from 'fastify'
import { startSimulator } from './simulator/simulator.ts'
import { simulatorRoutes } from './simulator/simulator-routes.ts'

const { values } = parseArgs({
  options: {
    whatsapp: { type: 'string', default: '4100' },
    control: { type: 'string', default: '4101' },
    state: { type: 'string' },
  },
})

const portOf = (text: string, name: string) => {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--${name} is a port, or 0 for any`)
  return port
}

const simulator = await startSimulator({ port: portOf(values.whatsapp, 'whatsapp'), stateFile: values.state })
const app = fastify()
await app.register(simulatorRoutes({ sandbox: simulator }))
const control = await app.listen({ host: '127.0.0.1', port: portOf(values.control, 'control') })
console.log(`WA_WEBSOCKET_URL=${simulator.url}`)
console.log(`${control}/api/simulador`)

const end = async () => {
  await app.close()
  await simulator.stop()
  process.exit()
}
process.once('SIGINT', () => void end())
process.once('SIGTERM', () => void end())
