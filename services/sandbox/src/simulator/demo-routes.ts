import { type DemoProgress, simulatorEndpoints as endpoints, simulatorRoot } from '@prosa/contracts/http/simulator'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { DemoRefusal, runDemo } from '../demo/run-demo.ts'
import { ControlClient } from '../load/control-client.ts'
import { ProductClient } from '../load/product-client.ts'
import { Refusal } from './refusal.ts'
import type { Simulator } from './simulator.ts'
import { simulatorRoute } from './simulator-route.ts'

/** This server's address from this machine. */
const ownAddress = ({ socket }: FastifyRequest) => `http://127.0.0.1:${socket.localPort}`

export const demoRoutes =
  (simulator: Simulator, productUrl: string | undefined): FastifyPluginAsync =>
  async (app) => {
    let state: DemoProgress = { state: 'idle', sentence: '', done: 0, total: 0 }
    const report = (progress: DemoProgress) => {
      state = progress
      simulator.emit('change')
    }

    simulatorRoute(app, simulator, endpoints.demo, async () => state)

    simulatorRoute(app, simulator, endpoints.fillMorning, async (request, reply) => {
      if (state.state === 'running') throw new Refusal(409, 'A manhã de exemplo já está sendo preenchida.')
      const { cookie } = request.headers
      if (!cookie) throw new Refusal(401, 'Entre na sua conta: a manhã de exemplo é escrita nela.')
      const address = ownAddress(request)
      report({ state: 'running', sentence: 'Começando…', done: 0, total: 1 })
      runDemo({
        product: new ProductClient(productUrl ?? address, cookie),
        phones: new ControlClient(address + simulatorRoot),
        now: Date.now(),
        progress: (sentence, done, total) => report({ state: 'running', sentence, done, total }),
      }).then(
        () => report({ ...state, state: 'done' }),
        (error: Error) => {
          const sentence =
            error instanceof DemoRefusal ? error.message : 'Não foi possível preencher a manhã de exemplo.'
          if (!(error instanceof DemoRefusal)) app.log.error(error)
          report({ ...state, state: 'failed', sentence })
        },
      )
      return reply.code(202).send(state)
    })
  }
