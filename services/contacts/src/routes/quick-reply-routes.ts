import {
  addQuickReplyBody,
  changeQuickReplyBody,
  quickReply,
  quickReplyRemoved,
} from '@prosa/contracts/http/quick-replies'
import { refusals } from '@prosa/contracts/refusals'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition, requireUser } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ContactHandlers } from '../handlers.ts'
import type { QuickReplyCommand } from '../quick-replies.ts'

const params = z.object({ id: z.string() })

/** The texts that attendants call up by a shortcut. */
export const quickReplyRoutes =
  ({ quickReplies }: ContactHandlers): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', requireUser)

    const tell = async (request: FastifyRequest, reply: FastifyReply, command: QuickReplyCommand) => {
      const outcome = await quickReplies(request.user.id, command, commandContext(request))
      if (!outcome.ok && outcome.rejected === 'shortcut_taken')
        throw refuse('shortcut_taken', [{ field: 'shortcut', message: refusals.shortcut_taken.title }])
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return outcome.state
    }

    app.post(
      '/api/quick-replies',
      { schema: { body: addQuickReplyBody, response: { 201: quickReply } } },
      async (request, reply) => {
        const id = deriveId('quick reply', request.command.id)
        const { replies } = await tell(request, reply, {
          type: 'AddQuickReply',
          data: { ...request.body, quickReplyId: id },
        })
        // A repeated request is told what it said then, also when the reply was deleted since.
        return reply.code(201).send({ id, ...(replies.get(id) ?? request.body) })
      },
    )

    app.patch(
      '/api/quick-replies/:id',
      { schema: { params, body: changeQuickReplyBody, response: { 200: quickReply } } },
      async (request, reply) => {
        const id = request.params.id.toLowerCase()
        const { replies } = await tell(request, reply, {
          type: 'ChangeQuickReply',
          data: { ...request.body, quickReplyId: id },
        })
        const texts = replies.get(id)
        if (!texts) throw refuse('quick_reply_not_found')
        return { id, ...texts }
      },
    )

    app.delete(
      '/api/quick-replies/:id',
      { schema: { params, response: { 200: quickReplyRemoved } } },
      async (request, reply) => {
        const id = request.params.id.toLowerCase()
        await tell(request, reply, { type: 'RemoveQuickReply', data: { quickReplyId: id } })
        return { id }
      },
    )
  }
