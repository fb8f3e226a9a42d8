import { createHmac, timingSafeEqual } from 'node:crypto'
import fastify from 'fastify'

/** Floor: Fastify verifies the HMAC over the raw bytes and answers. */
const token = process.env.PROSA_KIWIFY_APPROVED_TOKENS ?? ''
const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes))
app.post('/kiwify/payment/approved', async (request, reply) => {
  const given = Buffer.from(new URL(request.url, 'http://x').searchParams.get('signature') ?? '', 'hex')
  const expected = createHmac('sha1', token)
    .update(request.body as Buffer)
    .digest()
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return reply.code(401).send()
  return { received: true }
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.once('disconnect', () => process.exit(0))
process.send?.(url)
