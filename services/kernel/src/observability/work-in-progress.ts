export interface Work {
  /** `POST /api/flows/:id/test`, `reactor run-flows`. */
  readonly name: string
  readonly tenant: string | null | undefined
  /** Tenants are read only when reported. */
  readonly events: readonly { metadata: { tenant: string | null } }[] | undefined
}

/** Lists the first tenants only. */
export interface WorkReport {
  work: string
  times: number
  tenants: string[]
}

/** In hot paths: one set insert and delete. */
export interface WorkInProgress {
  begin(name: string, tenant?: string | null, events?: Work['events']): Work
  end(work: Work): void
  /** Ended work first: it may have caused the block. */
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
    if (metadata.tenant !== null) tenants.add(metadata.tenant)
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

export const workInProgress = trackWork()
