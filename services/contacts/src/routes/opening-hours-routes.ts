import { type OpeningHoursShown, openingHoursEndpoints, unsetOpeningHours } from '@prosa/contracts/http/opening-hours'
import { hoursWhatIfEndpoints } from '@prosa/contracts/http/what-if/hours'
import { refusals } from '@prosa/contracts/refusals'
import { replyPosition } from '@prosa/kernel/http/app'
import { commandContext } from '@prosa/kernel/http/command-context'
import { refuse } from '@prosa/kernel/http/problem'
import { route } from '@prosa/kernel/http/route'
import type { Ports } from '@prosa/kernel/ports'
import { daysAsked } from '@prosa/product/what-if/walk-part'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ContactHandlers } from '../handlers.ts'
import type { KnownHours, OpeningHoursCommand } from '../opening-hours.ts'
import { hoursWhatIf } from '../what-if/hours-what-if.ts'
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
  (handlers: ContactHandlers, ports: Pick<Ports, 'pool' | 'readModels'>): FastifyPluginAsync =>
  async (app) => {
    const { openingHours, store, codec, clock } = handlers
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

    route(app, hoursWhatIfEndpoints.ask, ({ body, user, slice }) => {
      const { from, to, after, isReplyOn, ...hours } = body
      const days = daysAsked({ from, to }, hours.timeZone, clock.now())
      const asked = { tenant: user.id, hours, isReplyOn, after, ...days }
      return hoursWhatIf(handlers, { ...ports, store, codec }, asked, slice)
    })
  }
