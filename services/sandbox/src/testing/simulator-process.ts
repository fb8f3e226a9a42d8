/** Arguments: WhatsApp port, control port, state file. */
import fastify from 'fastify'
import { startSimulator } from '../simulator/simulator.ts'
import { simulatorRoutes } from '../simulator/simulator-routes.ts'

process.on('disconnect', () => process.exit()) // the parent is gone
const [, , port, controlPort, stateFile] = process.argv
const simulator = await startSimulator({ port: Number(port), stateFile })
const app = fastify()
await app.register(simulatorRoutes({ sandbox: simulator }))
await app.listen({ host: '127.0.0.1', port: Number(controlPort) })
const { port: control } = app.server.address() as { port: number }
process.stdout.write(
  `@@${JSON.stringify({ url: simulator.url, control: `http://127.0.0.1:${control}/api/simulador` })}\n`,
)
