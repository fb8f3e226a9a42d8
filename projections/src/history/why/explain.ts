import type { WhyAnswer, WhyKind } from '@prosa/contracts/http/history'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Pool } from 'pg'
import { knownNames, mentionsOfValues } from '../names.ts'
import { findTimelineOfEvents } from '../queries.ts'
import { type Reader, readEvents } from '../read-events.ts'
import { readFacts } from '../rules/read-facts.ts'
import { ruleOf } from '../rules/rule-of.ts'
import { sentenceOf } from '../sentences/sentence-of.ts'
import { quoted } from '../sentences/words.ts'
import { entryOf } from '../threads.ts'
import { findSetting, type Setting } from './find-setting.ts'

export interface Asked {
  kind: WhyKind
  id: string
  field: string
  part?: string | undefined
}

type Deps = Reader & { pool: Pool }

const maxCauses = 4

/** Nearest first; causes outside the timeline, as arrivals, end the chain. */
const readCauses = async ({ pool, ...reader }: Deps, event: Stored): Promise<Stored[]> => {
  const causes: Stored[] = []
  let effect = event
  while (causes.length < maxCauses && effect.metadata.causationId !== effect.id) {
    const [row] = await findTimelineOfEvents(pool, [effect.metadata.causationId])
    const cause = row && (await readEvents(reader, [row])).get(row.id)?.event
    if (!cause) break
    causes.push(cause)
    effect = cause
  }
  return causes
}

/** What set off the first event that is known: no event of the timeline. */
const ticks: readonly string[] = ['MessageSent', 'MessageDelivered', 'MessageRead']

const originOf = ({ type, metadata: { actor } }: Stored, who: string, connection: (id: string) => string): string => {
  if (actor.kind === 'whatsapp') return `um aviso do WhatsApp, na conexão ${quoted(connection(actor.id))}`
  // A reactor passes on what a line reported.
  if (ticks.includes(type)) return 'um aviso do WhatsApp'
  if (actor.kind === 'webhook') return 'um aviso da Kiwify'
  if (actor.kind === 'user' || actor.kind === 'admin') return who === 'você' ? 'um pedido seu' : `um pedido de ${who}`
  if (actor.kind === 'flow') return 'um fluxo'
  return actor.id.startsWith('timer ') ? 'um prazo que chegou' : 'uma regra do Prosa'
}

const answerOf = async (
  { pool, ...reader }: Deps,
  { label, event, before, after }: Setting,
  tenant: string | undefined,
): Promise<WhyAnswer> => {
  const causes = await readCauses({ pool, ...reader }, event)
  const facts = await readFacts({ pool, ...reader }, [event])
  const shown = [after, ...(before === null ? [] : [before])].map((value) => ({ label, value }))
  const names = await knownNames(pool, [event, ...causes, ...facts.events], {
    more: mentionsOfValues(shown),
    tenantId: tenant,
  })
  const was = before === null ? null : names.value(label, before)
  const differences = before === null ? [] : [{ label, before, after }]
  const row = {
    id: event.id,
    type: event.type,
    recordedAt: event.metadata.recordedAt,
    depth: 0,
    account: event.metadata.tenant ?? '',
  }
  const entry = entryOf(row, {
    names,
    words: (each) => sentenceOf(each, names.of(each)),
    rule: (each) => ruleOf(each, facts.of(each), names.of(each)),
    events: new Map([[event.id, { event, differences }]]),
    view: undefined,
  })
  const first = causes.at(-1) ?? event
  const origin = originOf(first, names.actor(first.metadata.actor).name, names.of(first).connection)
  return {
    label,
    before: was,
    after: names.value(label, after),
    entry: tenant === undefined ? entry : { ...entry, records: [] },
    causes: [
      ...causes.map((cause) => ({ text: sentenceOf(cause, names.of(cause)).text, at: cause.metadata.recordedAt })),
      { text: origin, at: null },
    ],
  }
}

/** Undefined where no event set the value; `tenant`: of whom every event must be, but for those that no tenant has. */
export const explain = async (deps: Deps, asked: Asked, tenant?: string): Promise<WhyAnswer | undefined> => {
  const setting = await findSetting(deps, asked)
  if (!setting) return undefined
  if (tenant !== undefined && setting.event.metadata.tenant !== tenant) return undefined
  return answerOf(deps, setting, tenant)
}
