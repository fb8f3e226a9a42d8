import { createHash } from 'node:crypto'

/** What is read, from where: equal for two runs of the same replay. */
export interface Question {
  /** Origin of the installation. */
  url: string
  services: string[]
  types: string[]
  /** A pseudonym, as in the events. */
  tenant: string | undefined
  /** `position` of the event before the first one. */
  after: string | undefined
  /** Recorded at this instant or later. */
  since: string | undefined
  /** `position` of the last event. */
  upTo: string | undefined
  /** Recorded before this instant. */
  until: string | undefined
}

const sortedOf = (question: Question): Question => ({
  ...question,
  services: question.services.toSorted(),
  types: question.types.toSorted(),
})

/** The same for the same question, whatever the order of its words. */
export const fingerprintOf = (question: Question): string => {
  const { url, services, types, tenant, after, since, upTo, until } = sortedOf(question)
  return createHash('sha256')
    .update(JSON.stringify([url, services, types, tenant, after, since, upTo, until]))
    .digest('hex')
    .slice(0, 32)
}

export const addressOf = (question: Question, after: string | undefined, isLive: boolean): URL => {
  const address = new URL('/api/streams/events', question.url)
  const add = (name: string, value: string | undefined) =>
    value !== undefined && address.searchParams.append(name, value)
  for (const service of question.services) add('service', service)
  for (const type of question.types) add('type', type)
  add('tenant', question.tenant)
  add('since', question.since)
  add('until', question.until)
  add('upTo', question.upTo)
  add('after', after ?? question.after)
  if (isLive) add('live', 'true')
  return address
}
