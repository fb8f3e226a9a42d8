import { quickReplyEndpoints } from '@prosa/contracts/http/quick-replies'
import { refusals } from '@prosa/contracts/refusals'
import { deriveId } from '@prosa/kernel/derive-id'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ContactHandlers } from '../handlers.ts'
import type { QuickReplyCommand } from '../quick-replies.ts'
import { requireCompanyName } from './require-company-name.ts'

export const quickReplyRoutes =
  (handlers: ContactHandlers): FastifyPluginAsync =>
  async (app) => {
    const { quickReplies } = handlers
    const command = async (request: FastifyRequest, reply: FastifyReply, command: QuickReplyCommand) => {
      const content = 'content' in command.data ? command.data.content : undefined
      await requireCompanyName(handlers, request.user.id, 'content', content)
      const outcome = await quickReplies(request.user.id, command, commandContext(request))
      if (!outcome.ok && outcome.rejected === 'shortcut_taken')
        throw refuse('shortcut_taken', [{ field: 'shortcut', message: refusals.shortcut_taken.title }])
      if (!outcome.ok) throw refuse(outcome.rejected)
      replyPosition(reply, outcome.position)
      return outcome.state
    }

    route(app, quickReplyEndpoints.add, async (request, reply) => {
      const id = deriveId('quick reply', request.command.id)
      const { replies } = await command(request, reply, {
        type: 'AddQuickReply',
        data: { ...request.body, quickReplyId: id },
      })
      // A repeated request gets the first reply, even after removal.
      return reply.code(201).send({ id, ...(replies.get(id) ?? request.body) })
    })

    route(app, quickReplyEndpoints.change, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      const { replies } = await command(request, reply, {
        type: 'ChangeQuickReply',
        data: { ...request.body, quickReplyId: id },
      })
      const texts = replies.get(id)
      if (!texts) throw refuse('quick_reply_not_found')
      return { id, ...texts }
    })

    route(app, quickReplyEndpoints.remove, async (request, reply) => {
      const id = request.params.id.toLowerCase()
      await command(request, reply, { type: 'RemoveQuickReply', data: { quickReplyId: id } })
      return { id }
    })
  }
