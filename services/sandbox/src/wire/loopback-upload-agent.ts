import { Agent, type AgentOptions } from 'node:https'

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/**
 * `fetchAgent` of Baileys for sandbox clients: uploads are always https, with a self-signed certificate. It connects to loopback only, so
 * the certificate is not checked.
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
