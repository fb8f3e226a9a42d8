import { type OpeningHoursShown, openingHoursEndpoints, unsetOpeningHours } from '@prosa/contracts/http/opening-hours'
import { refusals } from '@prosa/contracts/refusals'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ContactHandlers } from '../handlers.ts'
import type { KnownHours, OpeningHoursCommand } from '../opening-hours.ts'
import { requireCompanyName } from './require-company-name.ts'

const shown = ({ hours, isReplyOn: isOn, replyText: text }: KnownHours): OpeningHoursShown => ({
  ...unsetOpeningHours,
  ...(hours && {
    isSet: true,
    timeZone: hours.timeZone,
    week: hours.week.map((day) => [...day]),
    holidays: [...hours.holidays],
  }),
  reply: { isOn, text },
})

export const openingHoursRoutes =
  (handlers: ContactHandlers): FastifyPluginAsync =>
  async (app) => {
    const { openingHours } = handlers
    const command = async (request: FastifyRequest, reply: FastifyReply, command: OpeningHoursCommand) => {
      const outcome = await openingHours(request.user.id, command, commandContext(request))
      if (!outcome.ok) throw refuse(outcome.rejected, [{ field: 'isOn', message: refusals[outcome.rejected].title }])
      replyPosition(reply, outcome.position)
      return shown(outcome.state)
    }

    route(app, openingHoursEndpoints.set, (request, reply) =>
      command(request, reply, { type: 'SetOpeningHours', data: request.body }),
    )
    route(app, openingHoursEndpoints.setReply, async (request, reply) => {
      const { body, user } = request
      const text = body.isOn ? (body.text ?? (await openingHours.load(user.id, user.id)).replyText) : body.text
      await requireCompanyName(handlers, user.id, 'text', text)
      return command(request, reply, { type: 'SetOutOfHoursReply', data: body })
    })
  }
