/** A piece of work that has begun: what does it, for whom, and nothing of what it is about. */
export interface Work {
  /** `POST /api/flows/:id/test`, `reactor run-flows`. */
  readonly name: string
  /** Null of what belongs to nobody. */
  readonly tenant: string | null | undefined
  /** Of a batch: whose events they are is looked up only where it is asked for. */
  readonly events: readonly { metadata: { owner: string | null } }[] | undefined
}

/** Equal work, counted; the tenants are the first ones. */
export interface WorkReport {
  work: string
  times: number
  tenants: string[]
}

/** What this process has in hand. `begin` and `end` stand in hot paths: they put an object into a set and take it out. */
export interface WorkInProgress {
  begin(name: string, tenant?: string | null, events?: Work['events']): Work
  end(work: Work): void
  /** What goes on now or has ended since the last `mark`; what has ended first, as it may be what held up everything. */
  since(): WorkReport[]
  mark(): void
}

const maxEnded = 500
const maxReported = 20
const maxTenants = 5

const tenantsOf = ({ tenant, events = [] }: Work): Iterable<string> => {
  const tenants = new Set<string>()
  if (tenant) tenants.add(tenant)
  for (const { metadata } of events) {
    if (metadata.owner !== null) tenants.add(metadata.owner)
    if (tenants.size >= maxTenants) break
  }
  return tenants
}

const report = (work: Iterable<Work>): WorkReport[] => {
  const reports = new Map<string, WorkReport>()
  for (const each of work) {
    const known = reports.get(each.name)
    if (!known && reports.size >= maxReported) continue
    const counted = known ?? { work: each.name, times: 0, tenants: [] }
    reports.set(each.name, counted)
    counted.times += 1
    for (const tenant of tenantsOf(each))
      if (counted.tenants.length < maxTenants && !counted.tenants.includes(tenant)) counted.tenants.push(tenant)
  }
  return [...reports.values()]
}

export const trackWork = (): WorkInProgress => {
  const begun = new Set<Work>()
  const ended: Work[] = []
  return {
    begin(name, tenant, events) {
      const work = { name, tenant, events }
      begun.add(work)
      return work
    },
    end(work) {
      if (begun.delete(work) && ended.length < maxEnded) ended.push(work)
    },
    since: () => report([...ended, ...begun]),
    mark() {
      ended.length = 0
    },
  }
}

/** Of the process: its event loop is one, whatever runs in it. */
export const workInProgress = trackWork()
