import type { FastifyInstance } from 'fastify'

/** Each throws until the address is known. */
export interface PublicLinks {
  resetPassword(token: string): string
  confirmEmail(token: string): string
  /** `tab` is a tab of the panel, e.g. `webhook`. */
  panel(tab: string): string
  webhooks(): string
  billing(): string
  hostname(): string
  /** Without a public address the links lead to this process. */
  leadTo(app: FastifyInstance): void
}

export const publicLinks = (publicUrl: string | undefined): PublicLinks => {
  let base = publicUrl
  const address = () => {
    if (base === undefined) throw new Error('the address of this process is not known yet')
    return new URL(base)
  }
  return {
    resetPassword: (token) => new URL(`/reset-password?token=${token}`, address()).href,
    confirmEmail: (token) => new URL(`/confirm-email?token=${token}`, address()).href,
    panel: (tab) => new URL(`/admin?aba=${tab}`, address()).href,
    webhooks: () => new URL('/settings?secao=integracoes', address()).href,
    billing: () => new URL('/billing?aba=planos', address()).href,
    hostname: () => address().hostname,
    leadTo(app) {
      app.addHook('onListen', async () => {
        const listening = app.server.address()
        if (listening && typeof listening === 'object') base ??= `http://localhost:${listening.port}`
      })
    },
  }
}
