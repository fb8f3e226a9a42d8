import { lookup } from 'node:dns/promises'
import { get } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Service } from '@prosa/product/ports'

export interface ProcessAddress {
  name: string
  url: string
}

export interface ProcessHealth extends ProcessAddress {
  /** `silent`: no answer within three seconds. */
  state: 'ready' | 'not ready' | 'silent'
  /** As `/health/ready` reports them. */
  trouble: Record<string, unknown>
}

const answerMs = 3000
/** A page that many ask for asks the processes once. */
const freshMs = 1000

/** Containers of one name have an address each. */
const instancesOf = async ({ name, url }: ProcessAddress): Promise<ProcessAddress[]> => {
  const { hostname, port } = new URL(url)
  try {
    const found = await lookup(hostname, { all: true, family: 4 })
    return found.map(({ address }) => ({ name, url: `http://${address}:${port}` }))
  } catch {
    // No instance has a name in the network: shown as silent.
    return [{ name, url }]
  }
}

const answerOf = (url: string): Promise<{ status: number | undefined; body: unknown }> =>
  new Promise((resolve, reject) => {
    const asked = get(`${url}/health/ready`, { signal: AbortSignal.timeout(answerMs), agent: false }, (reply) =>
      json(reply).then((body) => resolve({ status: reply.statusCode, body }), reject),
    )
    asked.on('error', reject)
  })

const troubleIn = (body: unknown): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null) return {}
  const { trouble, ...parts } = body as { trouble?: Record<string, unknown> }
  const failing = Object.entries(parts).filter(([name, value]) => value === (name === 'draining') && name !== 'ready')
  return { ...Object.fromEntries(failing), ...trouble }
}

const healthOf = async (process: ProcessAddress): Promise<ProcessHealth> => {
  try {
    const { status, body } = await answerOf(process.url)
    return { ...process, state: status === 200 ? 'ready' : 'not ready', trouble: troubleIn(body) }
  } catch {
    return { ...process, state: 'silent', trouble: {} }
  }
}

/** One after another as given, every instance of each. */
export const askProcesses = async (processes: readonly ProcessAddress[]): Promise<ProcessHealth[]> => {
  const instances = await Promise.all(processes.map(instancesOf))
  return Promise.all(instances.flat().map(healthOf))
}

/** Each kind of process has one that is ready. */
export const isWhole = (health: readonly ProcessHealth[]): boolean => {
  const ready = new Set(health.filter(({ state }) => state === 'ready').map(({ name }) => name))
  return health.every(({ name }) => ready.has(name))
}

const words = { ready: 'pronto', 'not ready': 'não está pronto', silent: 'não responde' }
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const pageOf = (health: readonly ProcessHealth[]): string => {
  const rows = health.map(({ name, state, trouble }) => {
    const faults = Object.entries(trouble).map(([part, what]) => `${part}: ${JSON.stringify(what)}`)
    return `<tr><td>${escaped(name)}</td><td>${words[state]}</td><td>${escaped(faults.join('; '))}</td></tr>`
  })
  return `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><meta http-equiv="refresh" content="5">
<meta name="viewport" content="width=device-width"><title>Prosa: processos</title>
<h1>${isWhole(health) ? 'O Prosa está no ar.' : 'Falta um processo.'}</h1>
<table><tr><th align="left">Processo<th align="left">Estado<th align="left">O que não anda</tr>${rows.join('')}</table></html>`
}

/** `GET /health`: every process that the configuration names, for people, or as JSON. 503 where a kind has no ready one. */
export const processHealth = (processes: readonly ProcessAddress[]): Service => ({
  name: 'web',
  async mount() {
    let asked: Promise<ProcessHealth[]> | undefined
    let askedAt = Number.NEGATIVE_INFINITY
    const ask = () => {
      const now = performance.now()
      if (asked && now - askedAt < freshMs) return asked
      askedAt = now
      asked = askProcesses(processes)
      return asked
    }
    return {
      routes: async (app) => {
        app.get('/health', async ({ headers }, reply) => {
          const health = await ask()
          reply.code(isWhole(health) ? 200 : 503).header('cache-control', 'no-store')
          if (headers.accept?.includes('text/html')) return reply.type('text/html; charset=utf-8').send(pageOf(health))
          // Addresses inside are nobody's business outside.
          return reply.send(health.map(({ url: _, ...shown }) => shown))
        })
      },
    }
  },
})
