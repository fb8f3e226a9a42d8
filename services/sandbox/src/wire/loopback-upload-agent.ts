import { Agent, type AgentOptions } from 'node:https'

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/**
 * What a client of the sandbox gives Baileys as `fetchAgent`: uploads are always https, and the sandbox's certificate is its
 * own. It connects to this machine and to nothing else, so the certificate proves nothing and is not asked to.
 */
export function loopbackUploadAgent(options: AgentOptions = {}): Agent {
  const agent = new Agent({ keepAlive: true, ...options, rejectUnauthorized: false })
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (target, done) => {
    const { host } = target as { host?: string }
    if (!host || !LOOPBACK.has(host)) throw new Error(`${host} is not this machine: simulated uploads stay here`)
    return connect(target, done)
  }
  return agent
}
