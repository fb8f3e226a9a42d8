import { OutboundFailed, type OutboundRequest, type SendOutbound } from './outbound.ts'

const redirects = new Set([301, 302, 303, 307, 308])

/** `isSecret`: not carried to another origin. */
export interface Redirected extends OutboundRequest {
  isSecret(header: string): boolean
}

/** Undefined if it leads nowhere, from https to http, or the body to another origin. */
const nextOf = (asked: Redirected, status: number, location: string): Redirected | undefined => {
  if (!URL.canParse(location, asked.url)) return undefined
  const [from, to] = [new URL(asked.url), new URL(location, asked.url)]
  if (!/^https?:$/.test(to.protocol) || (from.protocol === 'https:' && to.protocol !== 'https:')) return undefined
  const isElsewhere = from.origin !== to.origin
  // As browsers do.
  const becomesGet = status === 303 || (status < 303 && asked.method === 'POST')
  const hasBody = !becomesGet && asked.body !== undefined
  if (hasBody && isElsewhere) return undefined
  const { method, body, headers, ...rest } = asked
  const carried = Object.entries(headers).filter(
    ([name]) => !(isElsewhere && asked.isSecret(name)) && (hasBody || !/^content-/i.test(name)),
  )
  return {
    ...rest,
    method: becomesGet ? 'GET' : method,
    url: to.href,
    headers: Object.fromEntries(carried),
    ...(hasBody && body !== undefined && { body }),
  }
}

/**
 * Follows up to `max` redirects, each sent anew, so that its address is looked up and checked too; all within `timeoutMs`. The reply is a
 * redirect (3xx) where it could not be followed.
 */
export const followRedirects =
  (send: SendOutbound, max = 3): ((request: Redirected) => ReturnType<SendOutbound>) =>
  async (request) => {
    const began = performance.now()
    let asked = request
    for (let followed = 0; ; followed++) {
      const timeoutMs = Math.floor(request.timeoutMs - (performance.now() - began))
      if (timeoutMs <= 0) throw new OutboundFailed('timeout')
      const { isSecret: _, ...plain } = asked
      const reply = await send({ ...plain, timeoutMs })
      const { location } = reply.headers
      if (!redirects.has(reply.status) || location === undefined || followed === max) return reply
      const next = nextOf(asked, reply.status, location)
      if (!next) return reply
      asked = next
    }
  }
